import { formatCount } from '@cadmus/model/display'
import { messages } from '@cadmus/model/messages'
import { refreshCoreStructure, useLibraryProgress } from '../../api/administration.ts'
import { whyFailed } from '../../api/error.ts'
import { FormDialog, useSubmission } from '../../ui/FormDialog.tsx'
import { ProgressBar } from '../../ui/ProgressBar.tsx'
import { notify } from '../../ui/Snackbar.tsx'

/** Refresh Structure: confirms, reloads the library and reports the outcome. */
export function RefreshStructureDialog({ onClose }: { onClose: () => void }) {
  const { busy, submit } = useSubmission()

  async function refresh() {
    try {
      await refreshCoreStructure()
      notify('success', messages.coreRefreshed)
      onClose()
    } catch (failure) {
      notify('error', messages.failed.refreshCore(whyFailed(failure)))
    }
  }

  return (
    <FormDialog
      title="Refresh Structure"
      width={420}
      busy={busy}
      onClose={onClose}
      submitLabel="Refresh"
      onSubmit={() => void submit(refresh)}
    >
      {busy ? (
        <Reading />
      ) : (
        <p>
          Reloads the predefined entities and manifests from the library for all organisations. Their own content does
          not change.
        </p>
      )}
    </FormDialog>
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
