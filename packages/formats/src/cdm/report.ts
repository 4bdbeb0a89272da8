import { quoted } from '../import-error.ts'
import { bounds } from './bounds.ts'

/**
 * A line of the import report about content that is unsupported, missing or left out. `path` is the place in the
 * folder.
 */
export type ReportLine = { level: 'error' | 'warning'; path: string; message: string }

/** Texts for findings that occur in many places and are reported in one line with their number. */
type Gathering = { what: readonly [one: string, many: string]; of: readonly [one: string, many: string]; fate: string }

const ofAttributes = ['an attribute', 'attributes'] as const
const properties = ['property', 'properties'] as const
const dropped = 'not kept'

const gatherings = {
  attributeProperties: { what: properties, of: ofAttributes, fate: dropped },
  entityProperties: { what: properties, of: ['an entity', 'entities'], fate: dropped },
  groupTraits: { what: ['trait', 'traits'], of: ['an attribute group', 'attribute groups'], fate: dropped },
  purposes: { what: ['purpose', 'purposes'], of: ofAttributes, fate: 'read as "hasA"' },
} as const satisfies Record<string, Gathering>
type GatheringName = keyof typeof gatherings

/** Maximum number of distinct names per collected finding. */
const maxNames = 1000

/** Collects the lines of an import. Repeated findings are counted. */
export class Report {
  readonly #lines = new Map<string, { line: ReportLine; count: number }>()
  readonly #paths = new Set<string>()
  readonly #gathered = new Map<GatheringName, { path: string; names: Set<string>; count: number }>()
  #unlisted = 0
  #characters = 0

  error(path: string, message: string): void {
    this.#add({ level: 'error', path, message })
  }

  warning(path: string, message: string): void {
    this.#add({ level: 'warning', path, message })
  }

  /** Adds names found at a place to the line of the given kind. */
  gather(kind: GatheringName, path: string, names: readonly string[]): void {
    if (names.length === 0) return
    const gathered = this.#gathered.get(kind) ?? { path, names: new Set<string>(), count: 0 }
    this.#gathered.set(kind, gathered)
    gathered.count++
    for (const name of names) if (gathered.names.size < maxNames) gathered.names.add(name)
  }

  at(path: string): Place {
    return new Place(this, path)
  }

  /** Whether a line refers to exactly this path. */
  mentions(path: string): boolean {
    return this.#paths.has(path)
  }

  /** Errors first, then warnings, each in order of occurrence. */
  lines(): ReportLine[] {
    const all = [...this.#lines.values()].map(({ line, count }): ReportLine => ({
      level: line.level,
      path: shown(line.path),
      message: count === 1 ? line.message : `${line.message} (${count} times)`,
    }))
    all.push(...this.#gatheredLines())
    if (this.#unlisted > 0)
      all.push({
        level: 'warning',
        path: '',
        message: `${this.#unlisted === 1 ? 'One more line is' : `${this.#unlisted} more lines are`} not listed.`,
      })
    return [...all.filter(line => line.level === 'error'), ...all.filter(line => line.level === 'warning')]
  }

  #gatheredLines(): ReportLine[] {
    return [...this.#gathered].map(([kind, { path, names, count }]) => {
      const { what, of, fate } = gatherings[kind]
      const [noun, verb] = names.size === 1 ? [what[0], 'was'] : [what[1], 'were']
      const places = count === 1 ? of[0] : `${count} ${of[1]}`
      const message = `The ${noun} ${someOf(names)} of ${places} ${verb} ${fate}.`
      return { level: 'warning', path: shown(path), message }
    })
  }

  #add(line: ReportLine): void {
    if (this.#characters < bounds.reportCharacters) this.#paths.add(line.path)
    const key = `${line.level}\n${line.path}\n${line.message}`
    const existing = this.#lines.get(key)
    if (existing) {
      existing.count++
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

/** A path in the folder that report lines refer to; narrowed while reading nested content. */
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

  gather(kind: GatheringName, names: readonly string[]): void {
    this.#report.gather(kind, this.path, names)
  }

  error(message: string): void {
    this.#report.error(this.path, message)
  }

  warning(message: string): void {
    this.#report.warning(this.path, message)
  }
}

/** Shortens names in a path and makes them printable. */
function shown(path: string): string {
  return path
    .split('/')
    .map(name => quoted(name).replace(/^"|"(?=…?$)/g, ''))
    .join('/')
}

const maxNamed = 3

/** A message about names in a step that match no attribute; undefined if all names match. */
export function describeMissing(step: string, names: Iterable<string>): string | undefined {
  const all = [...names]
  if (all.length === 0) return undefined
  return `${step} names ${someOf(all)}, which ${all.length === 1 ? 'does' : 'do'} not exist.`
}

/** Formats names as `"a", "b", "c" and 2 more`. */
export function someOf(names: Iterable<string>): string {
  const all = [...names]
  const more = all.length > maxNamed ? ` and ${all.length - maxNamed} more` : ''
  return `${all.slice(0, maxNamed).map(quoted).join(', ')}${more}`
}
