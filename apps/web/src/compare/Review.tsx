import { comparisonText } from '@cadmus/model/comparison/comparison-text'
import type { Comparison } from '@cadmus/model/contract/comparison'
import { comparisonTexts } from '@cadmus/model/messages/compare-consequences'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type ComparedSides, consequencesQuery } from '../api/comparison.ts'
import { readFailure } from '../api/read-failure.ts'
import { Skeleton } from '../ui/Skeleton.tsx'
import { UnreadAlert } from '../ui/UnreadAlert.tsx'
import { Consequences } from './Consequences.tsx'
import { TextView } from './TextView.tsx'
import { useDatabase } from './use-database.ts'

/** The comparison with its consequences as a text for a review. */
export function ReviewText({
  name,
  sides,
  comparison,
}: {
  name: string
  sides: ComparedSides
  comparison: Comparison
}) {
  const { database } = useDatabase()
  const query = useQuery(consequencesQuery(sides, database))
  const { data, isPending } = query
  const text = useMemo(() => comparisonText(comparison, data ?? null), [comparison, data])
  if (isPending) return <Skeleton lines={8} />
  const failure = readFailure(query, comparisonTexts.withoutConsequences)
  return (
    <>
      {failure && <UnreadAlert failure={failure} />}
      <TextView text={text} fileName={`${name}.md`} />
    </>
  )
}

export function ReviewConsequences({ sides }: { sides: ComparedSides }) {
  const { database, setDatabase } = useDatabase()
  const { data, error, refetch } = useQuery(consequencesQuery(sides, database))
  return (
    <Consequences
      consequences={data}
      database={database}
      onDatabase={setDatabase}
      error={data ? null : error}
      retry={() => void refetch()}
    />
  )
}
