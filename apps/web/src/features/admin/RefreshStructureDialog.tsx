import { formatCount } from '@cadmus/model/display'
import { messages } from '@cadmus/model/messages'
import { useState } from 'react'
import { refreshCoreStructure, useLibraryProgress } from '../../api/administration.ts'
import { whyFailed } from '../../api/error.ts'
import { Button } from '../../ui/Button.tsx'
import { CloseButton, Dialog } from '../../ui/Dialog.tsx'
import { ProgressBar } from '../../ui/ProgressBar.tsx'
import { notify } from '../../ui/Snackbar.tsx'

/** Refresh Structure: confirms, reloads the library and reports the outcome. */
export function RefreshStructureDialog({ onClose }: { onClose: () => void }) {
  const [busy, setBusy] = useState(false)

  async function refresh() {
    setBusy(true)
    try {
      await refreshCoreStructure()
      notify('success', messages.coreRefreshed)
      onClose()
    } catch (failure) {
      notify('error', messages.failed.refreshCore(whyFailed(failure)))
      setBusy(false)
    }
  }

  return (
    <Dialog
      title="Refresh Structure"
      width={420}
      busy={busy}
      onClose={onClose}
      footer={
        <>
          <CloseButton />
          <Button size="dialog" variant="primary" busy={busy} onClick={() => void refresh()}>
            Refresh
          </Button>
        </>
      }
    >
      {busy ? (
        <Reading />
      ) : (
        <p>
          Reloads the predefined entities and manifests from the library for all organisations. Their own content does
          not change.
        </p>
      )}
    </Dialog>
  )
}

function Reading() {
  const { data } = useLibraryProgress()
  const { done = 0, total = 0 } = data ?? {}
  const isCounted = total > 0 && data?.state === 'storing'
  return (
    <ProgressBar
      label="Reading the predefined library…"
      done={isCounted ? done : null}
      total={Math.max(total, 1)}
      {...(isCounted ? { detail: `${formatCount(done)} of ${formatCount(total)} entities` } : {})}
    />
  )
}
