import { entityIn, rowIn } from '@cadmus/model/problem'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type LiveProblem, problemListQuery } from '../api/problems.ts'
import type { CellMark } from '../ui/sheet/sheet-state.ts'
import { useShownManifests } from './manifests-of.ts'
import { columnOf } from './problem-groups.ts'

type CellMarks = ReadonlyMap<string, ReadonlyMap<string, CellMark>>

/** The problems of the entity that is shown, by row and column of its sheet, in its first manifest. */
export function useCellMarks(entity: number): CellMarks {
  const [manifest] = useShownManifests() ?? []
  const { data } = useQuery({ ...problemListQuery(manifest?.id ?? 0, entity), enabled: manifest !== undefined })
  return useMemo(() => marksOf(entity, data?.problems ?? []), [entity, data])
}

/** Several problems of a cell are one mark, of the worst severity. */
export function marksOf(entity: number, problems: readonly LiveProblem[]): CellMarks {
  const marks = new Map<string, Map<string, CellMark>>()
  for (const problem of problems) {
    const row = rowIn(problem.path)
    if (!row || entityIn(problem.path)?.id !== entity || problem.severity === 'note') continue
    const cells = marks.get(row.uid) ?? new Map<string, CellMark>()
    const column = columnOf(problem)
    const other = cells.get(column)
    const severity = other?.severity === 'error' ? 'error' : problem.severity
    cells.set(column, { severity, text: other ? `${other.text}\n${problem.message}` : problem.message })
    marks.set(row.uid, cells)
  }
  return marks
}
