import type { EntityListItem } from '@cadmus/model/contract/lists'
import { messages } from '@cadmus/model/messages'
import { useState } from 'react'
import { entitySource } from '../../api/entities.ts'
import { messageOf } from '../../api/error.ts'
import { addEntities, manifestSource } from '../../api/manifests.ts'
import { isAdministration } from '../../api/scope.ts'
import { EntityFilters, useEntityFilters } from '../../commands/EntityFilters.tsx'
import { Button } from '../../ui/Button.tsx'
import { CloseButton, Dialog } from '../../ui/Dialog.tsx'
import type { Option } from '../../ui/options.ts'
import { SearchMultiSelect, SearchSelect } from '../../ui/Combobox.tsx'
import { notify } from '../../ui/Snackbar.tsx'
import { reasons } from '../../ui/reasons.ts'
import styles from './Entity.module.css'

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
  const [saving, setSaving] = useState(false)
  const [error, setError] = useState<string | null>(null)

  async function finish() {
    if (!manifest) return
    setSaving(true)
    setError(null)
    try {
      await addEntities(manifest.id, [...new Set([entity.id, ...more.map(({ data }) => data.id)])])
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
      entered={manifest !== null || more.length > 0}
      width={420}
      busy={saving}
      footer={
        <>
          <CloseButton label="Close" />
          <Button
            size="dialog"
            variant="primary"
            busy={saving}
            disabled={!manifest && reasons.select('a manifest')}
            onClick={() => void finish()}
          >
            Finish
          </Button>
        </>
      }
    >
      <div className={styles['fields']}>
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
        <SearchMultiSelect<EntityListItem>
          label="Also add"
          placeholder="Select Entity"
          several={count => `${count} entities`}
          source={entitySource({ ...filters.query, excluded: { ...entity, why: messages.alreadyInList } })}
          value={more}
          onChange={setMore}
        />
        <EntityFilters {...filters} />
      </div>
    </Dialog>
  )
}
