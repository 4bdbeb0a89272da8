import { formatCount } from '@cadmus/model/display'
import { namedMessage } from '@cadmus/sql/read/named-message'
import { quoted } from '../import-error.ts'
import { bounds } from './bounds.ts'

/**
 * A line of the import report about content that is unsupported, missing or left out. `path` is the place in the
 * folder, empty for several files. Findings of a kind are one line: `count` of them, whose `text` and `places` the
 * message has, shortened.
 */
export type ReportLine = {
  level: 'error' | 'warning' | 'info'
  path: string
  message: string
  kind: ReportKind
  count?: number
  text?: string
  places?: readonly ReportPlace[]
  /** Corpus path of the entity that a single finding is about, if it is known. */
  entity?: string
}

/** Line 0 stands for the whole file. `name`: of the thing there that the finding is about; `entity`: see ReportLine. */
export type ReportPlace = { path: string; line: number; name?: string | undefined; entity?: string | undefined }

/** In the order of the report, with their level. */
const levels = { read: 'info', problem: 'error', lost: 'warning', changed: 'warning', note: 'info' } as const
/** `read`: a fact about the whole import; `problem`: exports refuse it. */
export type ReportKind = keyof typeof levels

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
  readonly #findings = new Map<string, { kind: ReportKind; text: string; places: ReportPlace[]; count: number }>()
  readonly #gathered = new Map<GatheringName, { path: string; names: Set<string>; count: number }>()
  #unlisted = 0
  #characters = 0

  /** What could not be read. */
  error(path: string, message: string): void {
    this.#add({ level: 'error', kind: 'lost', path, message })
  }

  lost(path: string, message: string): void {
    this.#add({ level: levels.lost, kind: 'lost', path, message })
  }

  changed(path: string, message: string): void {
    this.#add({ level: levels.changed, kind: 'changed', path, message })
  }

  note(path: string, message: string): void {
    this.#add({ level: levels.note, kind: 'note', path, message })
  }

  /** Adds a finding to the line of equal ones. */
  finding(kind: ReportKind, text: string, place: ReportPlace): void {
    const key = `${kind}\n${text}`
    const finding = this.#findings.get(key) ?? { kind, text, places: [], count: 0 }
    const size = (finding.count === 0 ? key.length : 0) + place.path.length + (place.name?.length ?? 0)
    const isListed = this.#characters + size <= bounds.reportCharacters
    if (finding.count === 0 && !isListed) return void this.#unlisted++
    finding.count++
    if (isListed) {
      finding.places.push(place)
      this.#characters += size
    }
    this.#findings.set(key, finding)
  }

  /** Number of findings of a kind. */
  countOf(kind: ReportKind): number {
    return [...this.#findings.values()].reduce((sum, one) => sum + (one.kind === kind ? one.count : 0), 0)
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

  /** Findings and lines by kind, each in order of occurrence. */
  lines(): ReportLine[] {
    const all = [...this.#lines.values()].map(({ line, count }): ReportLine => ({
      ...line,
      path: shown(line.path),
      message: count === 1 ? line.message : `${line.message} (${count} times)`,
    }))
    all.push(...this.#gatheredLines())
    if (this.#unlisted > 0)
      all.push({
        level: levels.lost,
        kind: 'lost',
        path: '',
        message: `${this.#unlisted === 1 ? 'One more line is' : `${this.#unlisted} more lines are`} not listed.`,
      })
    return inReportOrder([...Array.from(this.#findings.values(), findingLine), ...all])
  }

  #gatheredLines(): ReportLine[] {
    return [...this.#gathered].map(([kind, { path, names, count }]) => {
      const { what, of, fate } = gatherings[kind]
      const [noun, verb] = names.size === 1 ? [what[0], 'was'] : [what[1], 'were']
      const places = count === 1 ? of[0] : `${count} ${of[1]}`
      const message = `The ${noun} ${someOf(names)} of ${places} ${verb} ${fate}.`
      const fateKind = fate === dropped ? 'lost' : 'changed'
      return { level: levels[fateKind], kind: fateKind, path: shown(path), message }
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

  lost(message: string): void {
    this.#report.lost(this.path, message)
  }

  changed(message: string): void {
    this.#report.changed(this.path, message)
  }

  note(message: string): void {
    this.#report.note(this.path, message)
  }
}

/** Shortens names in a path and makes them printable. */
function shown(path: string): string {
  return path
    .split('/')
    .map(name => quoted(name).replace(/^"|"(?=…?$)/g, ''))
    .join('/')
}

/** Facts about the import, what exports refuse, what could not be read, what is lost, what is changed, warnings, notes. */
export function inReportOrder<L extends { level: ReportLine['level']; kind?: ReportKind | undefined }>(
  lines: readonly L[],
): L[] {
  const ranks = ['read', 'problem', 'error', 'lost', 'changed', 'warning', 'note', 'info']
  const rankOf = ({ kind, level }: L) =>
    ranks.indexOf(kind === undefined || (kind === 'lost' && level === 'error') ? level : kind)
  return lines.toSorted((a, b) => rankOf(a) - rankOf(b))
}

const maxPlaces = 10
/** Names say more than numbers of lines. */
const maxNamedPlaces = 20

function findingLine({
  kind,
  text,
  places,
  count,
}: {
  kind: ReportKind
  text: string
  places: ReportPlace[]
  count: number
}): ReportLine {
  const [first = { path: '', line: 0, name: undefined, entity: undefined }] = places
  const path = places.every(place => place.path === first.path) ? shown(first.path) : ''
  const line: ReportLine = { level: levels[kind], kind, path, message: textAt(text, first) }
  if (count === 1) return first.entity === undefined ? line : { ...line, entity: first.entity }
  const max = first.name === undefined ? maxPlaces : maxNamedPlaces
  const listed = placesText(places.slice(0, max), path !== '')
  const more = count > max ? ', …' : ''
  const message = `${formatCount(count)} × ${text.replace(/\.$/, '')}${listed === '' ? '' : `: ${listed}${more}`}`
  return { ...line, message, count, text, places: places.map(place => ({ ...place, path: shown(place.path) })) }
}

/** The text of a finding in one place. */
export function textAt(text: string, { line, name }: Pick<ReportPlace, 'line' | 'name'>): string {
  const message = namedMessage(text, name)
  return line === 0 ? message : `Line ${line}: ${message}`
}

/** `lines 4, 9` in one file, otherwise `a.sql line 4, b.sql`; `'a' (line 4), 'b' (line 9)` for names. */
function placesText(places: readonly ReportPlace[], isOneFile: boolean): string {
  if (places.some(({ name }) => name !== undefined)) return places.map(place => namedPlace(place, isOneFile)).join(', ')
  if (!isOneFile) return places.map(place => placeText(place, isOneFile)).join(', ')
  const lines = places.filter(({ line }) => line > 0)
  return lines.length === 0 ? '' : `lines ${lines.map(({ line }) => line).join(', ')}`
}

function namedPlace(place: ReportPlace, isOneFile: boolean): string {
  const where = placeText(place, isOneFile)
  return `'${place.name ?? ''}'${where === '' ? '' : ` (${where})`}`
}

function placeText({ path, line }: ReportPlace, isOneFile: boolean): string {
  return [isOneFile ? '' : shown(path), line === 0 ? '' : `line ${line}`].filter(text => text !== '').join(' ')
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
