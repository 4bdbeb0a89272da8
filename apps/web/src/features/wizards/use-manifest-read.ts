import { useEffect, useEffectEvent } from 'react'
import { whyFailed } from '../../api/error.ts'
import { manifestQuery } from '../../api/manifests.ts'
import { queryClient } from '../../api/query-client.ts'
import { notify } from '../../ui/Snackbar.tsx'

/** Reads the manifest when the dialog opens. If the read fails, notifies and closes the dialog. */
export function useManifestRead(manifestId: number, failed: (reason: string) => string, onClose: () => void): void {
  const report = useEffectEvent((error: unknown) => {
    notify('error', failed(whyFailed(error)))
    onClose()
  })
  useEffect(() => {
    let hasLeft = false
    queryClient.fetchQuery(manifestQuery(manifestId)).catch((error: unknown) => {
      if (!hasLeft) report(error)
    })
    return () => {
      hasLeft = true
    }
  }, [manifestId])
}
