import { messages } from '@cadmus/model/messages'
import { useState } from 'react'
import { messageOf } from '../../api/error.ts'
import { addSubManifests } from '../../api/manifests.ts'
import { CoreToggle } from '../../commands/EntityFilters.tsx'
import { ManifestSelect } from '../../commands/ManifestSelect.tsx'
import { undoAction } from '../../commands/restore.ts'
import { FormDialog, useSubmission } from '../../ui/FormDialog.tsx'
import { notify } from '../../ui/Snackbar.tsx'
import { useManifestRead } from './use-manifest-read.ts'
import { reasons } from '../../ui/reasons.ts'

export type AddSubManifestDialogProps = {
  manifest: { id: number; name: string }
  onAdded?: (subManifest: { id: number; name: string }) => void
  onClose: () => void
}

/** Adds another manifest, custom or predefined, as a sub-manifest of this one. */
export function AddSubManifestDialog({ manifest, onAdded, onClose }: AddSubManifestDialogProps) {
  const [core, setCore] = useState(false)
  const [chosen, setChosen] = useState<{ id: number; name: string } | null>(null)
  const { busy, failure, reset, submit } = useSubmission()
  const problem = chosen?.id === manifest.id ? messages.sameSubManifest : null
  useManifestRead(manifest.id, messages.failed.openAddSubManifest, onClose)

  async function finish() {
    if (!chosen) return
    await addSubManifests(manifest.id, [chosen.id])
    notify('success', messages.subManifestAdded, undoAction(manifest.id))
    onClose()
    onAdded?.(chosen)
  }

  return (
    <FormDialog
      title="Add Sub-Manifest"
      description={manifest.name}
      width={420}
      busy={busy}
      onClose={onClose}
      entered={chosen !== null}
      submitLabel="Finish"
      closeLabel="Close"
      blocked={chosen ? problem : reasons.select('a manifest')}
      onSubmit={() => void submit(finish)}
    >
      <ManifestSelect
        label="Manifest"
        required
        filter={core ? 'ALL' : 'PRIVATE'}
        value={chosen}
        error={problem ?? (failure === null ? null : messageOf(failure, messages.failed.addSubManifest))}
        onChange={next => {
          setChosen(next)
          reset()
        }}
      />
      <CoreToggle of="Manifests" checked={core} onChange={setCore} />
    </FormDialog>
  )
}
