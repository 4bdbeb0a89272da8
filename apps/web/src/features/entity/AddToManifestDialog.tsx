import type { EntityListItem } from '@cadmus/model/contract/lists'
import { messages } from '@cadmus/model/messages'
import { useState } from 'react'
import { entitySource } from '../../api/entities.ts'
import { messageOf } from '../../api/error.ts'
import { addEntities } from '../../api/manifests.ts'
import { isAdministration } from '../../api/scope.ts'
import { EntityFilters, useEntityFilters } from '../../commands/EntityFilters.tsx'
import { ManifestSelect } from '../../commands/ManifestSelect.tsx'
import { undoAction } from '../../commands/restore.ts'
import { FormDialog, useSubmission } from '../../ui/FormDialog.tsx'
import type { Option } from '../../ui/options.ts'
import { SearchMultiSelect } from '../../ui/Combobox.tsx'
import { notify } from '../../ui/Snackbar.tsx'
import { reasons } from '../../ui/reasons.ts'

export type AddToManifestDialogProps = {
  entity: { id: number; name: string }
  onClose: () => void
  /** Called before the selection is reset. */
  onAdded: (manifest: { id: number; name: string }) => void
}

/** Adds the entity to a manifest: as a copy, or as a reference in the administration. */
export function AddToManifestDialog({ entity, onClose, onAdded }: AddToManifestDialogProps) {
  const [manifest, setManifest] = useState<{ id: number; name: string } | null>(null)
  const [more, setMore] = useState<readonly Option<EntityListItem>[]>([])
  const filters = useEntityFilters()
  const { busy, failure, reset, submit } = useSubmission()

  async function finish() {
    if (!manifest) return
    await addEntities(manifest.id, [...new Set([entity.id, ...more.map(({ data }) => data.id)])])
    notify('success', messages.entityAddedToManifest, undoAction(manifest.id))
    onAdded(manifest)
    onClose()
  }

  return (
    <FormDialog
      title="Add Entity To Manifest"
      description={entity.name}
      onClose={onClose}
      entered={manifest !== null || more.length > 0}
      width={420}
      busy={busy}
      submitLabel="Finish"
      closeLabel="Close"
      blocked={!manifest && reasons.select('a manifest')}
      onSubmit={() => void submit(finish)}
    >
      <ManifestSelect
        label={isAdministration() ? messages.prompts.addToManifestOfOrganisation : messages.prompts.addToManifest}
        required
        value={manifest}
        error={failure === null ? null : messageOf(failure, messages.failed.addEntity)}
        onChange={chosen => {
          setManifest(chosen)
          reset()
        }}
      />
      <SearchMultiSelect<EntityListItem>
        label="Also add"
        placeholder="Select Entity"
        several={count => `${count} entities`}
        source={entitySource({ ...filters.query, excluded: { ...entity, why: messages.alreadyInList } })}
        value={more}
        onChange={setMore}
      />
      <EntityFilters {...filters} />
    </FormDialog>
  )
}
