import { liveProblemTexts } from '@cadmus/model/messages/problems'
import { isProblemCounts, type ProblemCounts } from '../api/problems.ts'
import { queryClient } from '../api/query-client.ts'
import { scopeText } from '../api/scope.ts'
import { type KnownProblems, knownProblems, type ProblemBadge } from './known-problems.ts'

/** Passes the numbers of problems that are read to those who show them. */
export function collectKnownProblems(): void {
  queryClient.getQueryCache().subscribe(({ query, type }) => {
    if (isProblemCounts(query.queryKey) && (type === 'removed' || type === 'updated')) collect()
  })
}

let last: readonly unknown[] = []

function collect(): void {
  const queries = queryClient.getQueryCache().findAll({ predicate: ({ queryKey }) => isProblemCounts(queryKey) })
  const read = queries.flatMap(({ queryKey, state }) => {
    const counts = state.data as ProblemCounts | undefined
    const [scope, , , id] = queryKey
    return counts && scope !== 'console' && typeof id === 'number' ? [{ scope: scopeText(scope), id, counts }] : []
  })
  const now = read.map(({ counts }) => counts)
  if (now.length === last.length && now.every((counts, index) => counts === last[index])) return
  last = now
  const byScope = new Map<string, { manifests: Map<number, ProblemBadge>; entities: Map<number, ProblemBadge> }>()
  for (const { scope, id, counts } of read) {
    const known = byScope.get(scope) ?? { manifests: new Map(), entities: new Map() }
    byScope.set(scope, known)
    add(known.manifests, id, counts)
    const { ids, errors, warnings } = counts.entities
    for (const [index, entity] of ids.entries())
      add(known.entities, entity, { errors: errors[index] ?? 0, warnings: warnings[index] ?? 0 })
  }
  knownProblems.setState({ byScope: byScope satisfies ReadonlyMap<string, KnownProblems> })
}

/** An entity of several manifests has the greatest number. */
function add(badges: Map<number, ProblemBadge>, id: number, counts: { errors: number; warnings: number }): void {
  const { errors, warnings } = counts
  if (errors + warnings === 0) return
  const severity = errors > 0 ? 'error' : 'warning'
  const count = errors > 0 ? errors : warnings
  const other = badges.get(id)
  const isLess = other && (other.severity === severity ? other.count >= count : other.severity === 'error')
  if (!isLess) badges.set(id, { severity, count, label: liveProblemTexts.counts(counts) })
}
