import { messages } from '@cadmus/model/messages'
import { useState } from 'react'
import { messageOf } from '../../api/error.ts'
import { addEntities, manifestSource } from '../../api/manifests.ts'
import { isAdministration } from '../../api/scope.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { SearchSelect } from '../../ui/SearchSelect.tsx'
import { notify } from '../../ui/Snackbar.tsx'

export type AddToManifestDialogProps = {
  entity: { id: number; name: string }
  onClose: () => void
  /** Called before the selection is reset. */
  onAdded: (manifest: { id: number; name: string }) => void
}

/** Adds the entity to a manifest: as a copy, or as a reference in the administration. */
export function AddToManifestDialog({ entity, onClose, onAdded }: AddToManifestDialogProps) {
  const [manifest, setManifest] = useState<{ id: number; name: string } | null>(null)
  const [saving, setSaving] = useState(false)
  const [error, setError] = useState<string | null>(null)

  async function finish() {
    if (!manifest) return
    setSaving(true)
    setError(null)
    try {
      await addEntities(manifest.id, [entity.id])
      notify('success', messages.entityAddedToManifest)
      onAdded(manifest)
      onClose()
    } catch (failure) {
      setError(messageOf(failure, messages.failed.addEntity))
      setSaving(false)
    }
  }

  return (
    <Dialog
      title="Add Entity To Manifest"
      description={entity.name}
      onClose={onClose}
      entered={manifest !== null}
      width={420}
      busy={saving}
      footer={
        <>
          <Button size="dialog" disabled={saving} onClick={onClose}>
            Close
          </Button>
          <Button size="dialog" variant="primary" busy={saving} disabled={!manifest} onClick={() => void finish()}>
            Finish
          </Button>
        </>
      }
    >
      <SearchSelect<{ id: number; name: string }>
        label={isAdministration() ? messages.prompts.addToManifestOfOrganisation : messages.prompts.addToManifest}
        required
        placeholder={messages.placeholders.selectManifest}
        source={manifestSource()}
        value={manifest && { value: String(manifest.id), label: manifest.name, data: manifest }}
        error={error}
        onChange={({ data }) => {
          setManifest(data)
          setError(null)
        }}
      />
    </Dialog>
  )
}
