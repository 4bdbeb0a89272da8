import { warningParts } from '@cadmus/model/configuration-warnings'
import type { ProblemAnswer } from '@cadmus/model/contract/shared'
import type { DatabaseType } from '@cadmus/model/database-types'
import { problemSummaries } from '@cadmus/model/messages/validation'
import { entityIn, rowIn } from '@cadmus/model/problem'
import { tabLabels } from '../commands/configuration-tabs.ts'
import type { DocumentPlace } from '../commands/DocumentLink.tsx'
import type { DocumentRef } from '../workbench/documents.ts'

export type ProblemGroup = {
  key: string
  document: DocumentRef
  lines: readonly ProblemLine[]
}

export type ProblemLine = {
  message: string
  /** The attribute, relationship or part concerned, and its place; null for the document itself. */
  name: string | null
  place: DocumentPlace
}

/** Similar problems folded into one line. */
export type ProblemFold = {
  code: string
  summary: string
  unit: 'columns' | 'entities' | 'places'
  groups: readonly ProblemGroup[]
  count: number
  hidden: number
}

export type ProblemSection = {
  severity: ProblemAnswer['severity']
  folds: readonly ProblemFold[]
  groups: readonly ProblemGroup[]
  /** The number of problems, and how many of them are not listed. */
  count: number
  hidden: number
}

/** Maximum number of problems of one code that are listed without folding. */
const maxUnfolded = 4

/** Problems that concern this database; all problems if no database is chosen. */
export function problemsFor(problems: readonly ProblemAnswer[], database: DatabaseType | null): ProblemAnswer[] {
  return problems.filter(({ databases }) => database === null || (databases?.includes(database) ?? true))
}

/**
 * Errors, warnings and notes, grouped by object in order of appearance, at most `limit` per section. Errors are never
 * folded; warnings and notes with a frequent code are, the most frequent first.
 */
export function problemSections(problems: readonly ProblemAnswer[], limit: number): ProblemSection[] {
  return (['error', 'warning', 'note'] as const).flatMap(severity => {
    const all = problems.filter(problem => problem.severity === severity)
    if (all.length === 0) return []
    const byCode = Array.from(Map.groupBy(all, ({ code }) => code))
    const frequent = severity === 'error' ? [] : byCode.filter(([, sameCode]) => sameCode.length > maxUnfolded)
    const folds = frequent
      .map(([code, sameCode]) => foldOf(code, sameCode, limit))
      .toSorted((a, b) => b.count - a.count)
    const codes = new Set(folds.map(({ code }) => code))
    const single = all.filter(({ code }) => !codes.has(code))
    const hidden = Math.max(0, single.length - limit)
    return [{ severity, folds, groups: groupsOf(single.slice(0, limit)), count: all.length, hidden }]
  })
}

function foldOf(code: string, sameCode: readonly ProblemAnswer[], limit: number): ProblemFold {
  const kinds = new Set(sameCode.map(({ path }) => path.at(-1)?.kind))
  const columns = !kinds.has('entity') && !kinds.has('manifest')
  const unit = columns ? 'columns' : kinds.size === 1 && kinds.has('entity') ? 'entities' : 'places'
  const summary = problemSummaries[code] ?? sameCode[0]?.message ?? ''
  const hidden = Math.max(0, sameCode.length - limit)
  return { code, summary, unit, groups: groupsOf(sameCode.slice(0, limit)), count: sameCode.length, hidden }
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

const warned = Object.fromEntries(
  Object.entries(warningParts).map(([code, tab]) => [code, { tab, label: tabLabels[tab] }]),
)

/** The part of the configuration that has the problem, by code. */
const parts: Readonly<Record<string, { tab: string; label: string }>> = {
  aggregateEntity: { tab: 'queries', label: 'Aggregate Queries' },
  aggregateField: { tab: 'queries', label: 'Aggregate Queries' },
  aggregateType: { tab: 'queries', label: 'Aggregate Queries' },
  exclusion: { tab: 'api', label: 'API Configuration' },
  sotEntity: { tab: 'service', label: 'Service Configuration' },
  scope: { tab: 'scopes', label: tabLabels.scopes },
  ...warned,
}

function partOf({ code, path }: ProblemAnswer) {
  return path.at(-1)?.kind === 'manifest' ? parts[code] : undefined
}

const sheetColumns: Readonly<Record<string, string>> = {
  name: 'name',
  dataType: 'dataType',
  defaultValue: 'defaultValue',
  maxLength: 'length',
}

/** The column of the attribute sheet that a problem of a row is about; the name if none has its field. */
export function columnOf(problem: ProblemAnswer & { field?: string | undefined }): string {
  return sheetColumn(problem) ?? 'name'
}

/** The column of the attribute sheet with the field that a problem is about, if it is always shown. */
function sheetColumn({ field, path }: ProblemAnswer & { field?: string | undefined }): string | undefined {
  return field !== undefined && path.at(-1)?.kind === 'typeAttribute' ? sheetColumns[field] : undefined
}

/** The entity concerned; else the manifest or its configuration. The path distinguishes equal names. */
export function documentOf(problem: ProblemAnswer): DocumentRef {
  const { path } = problem
  const manifests = path.filter(step => step.kind === 'manifest')
  const entity = entityIn(path)
  if (entity) return { kind: 'entity', id: entity.id, name: entity.name, ...(entity.path ? { path: entity.path } : {}) }
  const last = manifests.at(-1)
  const places = manifests.map(({ name }) => name).join('/')
  const named = { id: last?.id ?? 0, path: places }
  if (partOf(problem)) return { kind: 'configuration', ...named, name: `${last?.name ?? ''} Configuration` }
  return { kind: 'manifest', ...named, name: last?.name ?? '' }
}

export function lineOf(problem: ProblemAnswer): ProblemLine {
  const { message, path } = problem
  const part = partOf(problem)
  if (part) return { message, name: part.label, place: { tab: part.tab } }
  const row = rowIn(path)
  if (!row) return { message, name: null, place: {} }
  return { message, name: row.name, place: { row: { kind: row.kind, uid: row.uid, column: sheetColumn(problem) } } }
}
