import { quoted } from '../import-error.ts'
import { bounds } from './bounds.ts'

/** One line of what an import did not understand, could not find or had to leave out. `path` leads to the place in the folder. */
export type ReportLine = { level: 'error' | 'warning'; path: string; message: string }

/** Collects the lines of one import. What is found again in another place is counted, not repeated. */
export class Report {
  readonly #lines = new Map<string, { line: ReportLine; count: number }>()
  readonly #paths = new Set<string>()
  #unlisted = 0
  #characters = 0

  error(path: string, message: string): void {
    this.#add({ level: 'error', path, message })
  }

  warning(path: string, message: string): void {
    this.#add({ level: 'warning', path, message })
  }

  at(path: string): Place {
    return new Place(this, path)
  }

  /** Whether a line is about this very place. */
  mentions(path: string): boolean {
    return this.#paths.has(path)
  }

  /** Errors first, then warnings, each in the order in which they were found. */
  lines(): ReportLine[] {
    const all = [...this.#lines.values()].map(({ line, count }): ReportLine => ({
      level: line.level,
      path: shown(line.path),
      message: count === 1 ? line.message : `${line.message} (${count} times)`,
    }))
    if (this.#unlisted > 0)
      all.push({
        level: 'warning',
        path: '',
        message: `${this.#unlisted === 1 ? 'One more line is' : `${this.#unlisted} more lines are`} not listed.`,
      })
    return [...all.filter(line => line.level === 'error'), ...all.filter(line => line.level === 'warning')]
  }

  #add(line: ReportLine): void {
    if (this.#characters < bounds.reportCharacters) this.#paths.add(line.path)
    const key = `${line.level}\n${line.path}\n${line.message}`
    const known = this.#lines.get(key)
    if (known) {
      known.count++
      return
    }
    if (this.#lines.size >= bounds.reportLines || this.#characters + key.length > bounds.reportCharacters) {
      this.#unlisted++
      return
    }
    this.#characters += key.length
    this.#lines.set(key, { line, count: 1 })
  }
}

/** A place in the folder that lines are about; made where reading goes deeper. */
export class Place {
  readonly #report: Report
  readonly path: string

  constructor(report: Report, path: string) {
    this.#report = report
    this.path = path
  }

  in(name: string): Place {
    return new Place(this.#report, `${this.path}/${name}`)
  }

  error(message: string): void {
    this.#report.error(this.path, message)
  }

  warning(message: string): void {
    this.#report.warning(this.path, message)
  }
}

/** A path as a line shows it: names from hostile files are made short and printable, others stay as they are. */
function shown(path: string): string {
  return path
    .split('/')
    .map(name => quoted(name).replace(/^"|"(?=…?$)/g, ''))
    .join('/')
}
