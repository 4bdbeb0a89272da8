import { useEffect, useEffectEvent } from 'react'
import { whyFailed } from '../../api/error.ts'
import { manifestQuery } from '../../api/manifests.ts'
import { queryClient } from '../../api/query-client.ts'
import { notify } from '../../ui/Snackbar.tsx'

/**
 * Reads the manifest as the dialog that adds to it opens. Where it cannot be read (it is gone, the server is away) there is nothing to
 * add to: the dialog goes, and a message says why.
 */
export function useReadFirst(manifestId: number, failed: (reason: string) => string, onClose: () => void): void {
  const tell = useEffectEvent((error: unknown) => {
    notify('error', failed(whyFailed(error)))
    onClose()
  })
  useEffect(() => {
    let hasLeft = false
    queryClient.fetchQuery(manifestQuery(manifestId)).catch((error: unknown) => {
      if (!hasLeft) tell(error)
    })
    return () => {
      hasLeft = true
    }
  }, [manifestId])
}
