import type { ProblemAnswer } from '@cadmus/model/contract/problem'
import type { DatabaseType } from '@cadmus/model/database-types'
import type { DocumentPlace } from '../../commands/DocumentLink.tsx'
import type { DocumentRef } from '../../workbench/documents.ts'

/** What is said of one entity or manifest. */
export type ProblemGroup = {
  key: string
  document: DocumentRef
  lines: readonly ProblemLine[]
}

export type ProblemLine = {
  message: string
  /** The attribute or relationship that it is about, and where that is; of the document itself there is none. */
  name: string | null
  place: DocumentPlace
}

export type ProblemSection = {
  severity: ProblemAnswer['severity']
  groups: readonly ProblemGroup[]
  /** How many problems there are, and how many of them stand in no group, as the list would be too long. */
  count: number
  hidden: number
}

/** What of a validation concerns this database; everything where none is chosen. */
export function problemsFor(problems: readonly ProblemAnswer[], database: DatabaseType | null): ProblemAnswer[] {
  return problems.filter(({ databases }) => database === null || (databases?.includes(database) ?? true))
}

/** Errors, warnings and notes, each by what they are about in the order of the first; of each kind at most `limit`. */
export function problemSections(problems: readonly ProblemAnswer[], limit: number): ProblemSection[] {
  return (['error', 'warning', 'note'] as const).flatMap(severity => {
    const all = problems.filter(problem => problem.severity === severity)
    if (all.length === 0) return []
    const groups = groupsOf(all.slice(0, limit))
    return [{ severity, groups, count: all.length, hidden: Math.max(0, all.length - limit) }]
  })
}

function groupsOf(problems: readonly ProblemAnswer[]): ProblemGroup[] {
  const groups = new Map<string, { document: DocumentRef; lines: ProblemLine[] }>()
  for (const problem of problems) {
    const document = documentOf(problem)
    const key = `${document.kind} ${document.id}`
    const group = groups.get(key) ?? { document, lines: [] }
    group.lines.push(lineOf(problem))
    groups.set(key, group)
  }
  return Array.from(groups, ([key, group]) => ({ key, ...group }))
}

/** The entity that it is about; else the manifest. Its path tells it from others of its name. */
function documentOf({ path }: ProblemAnswer): DocumentRef {
  const manifests = path.filter(step => step.kind === 'manifest')
  const entity = path.findLast(step => step.kind === 'entity')
  if (entity) return { kind: 'entity', id: entity.id, name: entity.name, ...(entity.path ? { path: entity.path } : {}) }
  const last = manifests.at(-1)
  const places = manifests.map(({ name }) => name).join('/')
  return { kind: 'manifest', id: last?.id ?? 0, name: last?.name ?? '', path: places }
}

function lineOf({ message, path }: ProblemAnswer): ProblemLine {
  const last = path.at(-1)
  if (last?.kind !== 'typeAttribute' && last?.kind !== 'entityAttribute') return { message, name: null, place: {} }
  return { message, name: last.name, place: { row: { kind: last.kind, uid: last.uid } } }
}
