import type { ProblemAnswer } from '@cadmus/model/contract/shared'
import { visibleText } from '@cadmus/model/display'
import { CircleX, Package2, SlidersVertical, Table2, TriangleAlert } from 'lucide-react'
import type { LiveProblem } from '../api/problems.ts'
import type { TreeRow } from '../ui/Tree.tsx'
import type { DocumentRef } from '../workbench/documents.ts'
import { keyOf } from './go-to.ts'
import { documentOf, lineOf } from './problem-groups.ts'

export type SeverityFilter = 'all' | 'error' | 'warning'
export type Filter = { severity: SeverityFilter; text: string }

type Group = { document: DocumentRef; problems: LiveProblem[] }

const icons = {
  entity: Table2,
  manifest: Package2,
  configuration: SlidersVertical,
  logs: Package2,
  organisation: Package2,
}

/** Problems that match, in their order. */
export function filtered(problems: readonly LiveProblem[], { severity, text }: Filter): LiveProblem[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter(word => word !== '')
  return problems.filter(problem => {
    if (severity !== 'all' && problem.severity !== severity) return false
    if (words.length === 0) return true
    const searched = [problem.message, ...problem.path.map(({ name }) => name)].join(' ').toLowerCase()
    return words.every(word => searched.includes(word))
  })
}

type ProblemRows = { rows: TreeRow[]; problems: ReadonlyMap<string, LiveProblem> }

/** The rows of a tree of documents with their problems, in the order of the documents' first problems. */
export function problemRows(problems: readonly LiveProblem[], isFolded: (id: string) => boolean): ProblemRows {
  const groups = new Map<string, Group>()
  for (const problem of problems) {
    const document = documentOf(problem)
    const id = `${document.kind}:${document.id}`
    const group = groups.get(id) ?? { document, problems: [] }
    group.problems.push(problem)
    groups.set(id, group)
  }
  const rows: TreeRow[] = []
  const byRow = new Map<string, LiveProblem>()
  let posInSet = 0
  for (const [id, group] of groups) {
    posInSet += 1
    const isOpen = !isFolded(id)
    rows.push({ ...groupRow(id, group, isOpen), posInSet, setSize: groups.size })
    if (!isOpen) continue
    const repeated = new Map<string, number>()
    for (const [index, problem] of group.problems.entries()) {
      const key = keyOf(problem)
      const time = repeated.get(key) ?? 0
      repeated.set(key, time + 1)
      const row = problemRow(`${id}>${key}>${time}`, problem)
      byRow.set(row.id, problem)
      rows.push({ ...row, posInSet: index + 1, setSize: group.problems.length })
    }
  }
  return { rows, problems: byRow }
}

function groupRow(id: string, { document, problems }: Group, isOpen: boolean) {
  const { kind, name, path } = document
  return {
    id,
    level: 1,
    kind: 'node' as const,
    label: name,
    icon: icons[kind],
    expanded: isOpen,
    count: problems.length,
    title: visibleText(path ?? name),
  }
}

function problemRow(id: string, problem: ProblemAnswer) {
  const { name } = lineOf(problem)
  return {
    id,
    level: 2,
    kind: 'node' as const,
    label: problem.message,
    icon: problem.severity === 'error' ? CircleX : TriangleAlert,
    expanded: null,
    ...(name === null ? {} : { detail: name }),
    title: visibleText(problem.message),
  }
}

/** Number of problems by severity. */
export function severityCounts(problems: readonly LiveProblem[]): Record<SeverityFilter, number> {
  const error = problems.filter(({ severity }) => severity === 'error').length
  return { all: problems.length, error, warning: problems.length - error }
}
