import { useState } from 'react'
import { ApiError } from '../../api/error.ts'
import { Alert } from '../../ui/Alert.tsx'
import { useSubmission } from '../../ui/FormDialog.tsx'
import { describeConflicts, refusalOf } from './labels.ts'

type Guard<Base> = { base: Base | string; theirs: readonly string[] }

/** Any other refusal leaves the listed values: they are still what the next submission replaces. */
export function afterRefusal<Base>(now: Guard<Base>, refusal: unknown): Guard<Base> {
  const theirs = describeConflicts(refusal)
  return refusal instanceof ApiError && theirs.length > 0 ? { base: refusal.etag, theirs } : now
}

/**
 * Submits changes of the state with this ETag. After a conflict the concurrent values are listed in `theirs`, and the next
 * submission replaces them.
 */
export function useGuardedSubmission<Base extends string | null>(etag: Base, failed: string) {
  const [{ base, theirs }, setGuard] = useState<Guard<Base>>({ base: etag, theirs: [] })
  const { failure, submit, ...submission } = useSubmission()
  const isConflict = describeConflicts(failure).length > 0
  return {
    ...submission,
    theirs,
    error: failure === null || isConflict ? null : refusalOf(failure, failed),
    submit: (save: (base: Base | string) => Promise<void>) =>
      submit(async () => {
        try {
          await save(base)
        } catch (refusal) {
          setGuard(now => afterRefusal(now, refusal))
          throw refusal
        }
      }),
  }
}

/** Lists the concurrent changes that the next save of the dialog replaces. */
export function ConcurrentChanges({ lines }: { lines: readonly string[] }) {
  if (lines.length === 0) return null
  return (
    <Alert kind="warning">
      <p>Someone else changed this. Save replaces:</p>
      {lines.map(line => (
        <p key={line}>{line}</p>
      ))}
    </Alert>
  )
}
