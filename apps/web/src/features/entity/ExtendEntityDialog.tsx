import type { EntityReference } from '@cadmus/model/entity-attribute'
import { folderOf } from '@cadmus/model/paths'
import { messages } from '@cadmus/model/messages'
import { useState } from 'react'
import { entitySource } from '../../api/entities.ts'
import { messageOf } from '../../api/error.ts'
import { EntityFilters, useEntityFilters } from '../../commands/EntityFilters.tsx'
import { Button } from '../../ui/Button.tsx'
import { CloseButton, Dialog } from '../../ui/Dialog.tsx'
import { SearchSelect } from '../../ui/Combobox.tsx'
import { reasons } from '../../ui/reasons.ts'
import styles from './Entity.module.css'

export type ExtendEntityDialogProps = {
  /** `manifest`: id of the manifest whose entities are listed first; -1 for none. */
  entity: { id: number; name: string; manifest: number }
  onClose: () => void
  /** Sets the parent in the draft. Resolves to the reason if the parent is refused; the dialog then stays open. */
  onApply: (parent: EntityReference) => Promise<string | undefined>
}

export function ExtendEntityDialog({ entity, onClose, onApply }: ExtendEntityDialogProps) {
  const [parent, setParent] = useState<EntityReference | null>(null)
  const filters = useEntityFilters()
  const [applying, setApplying] = useState(false)
  const [error, setError] = useState<string | null>(null)

  async function apply() {
    if (!parent || applying) return
    setApplying(true)
    setError(null)
    const problem = await onApply(parent).catch((failure: unknown) => messageOf(failure, messages.failed.unexpected))
    if (problem === undefined) return onClose()
    setError(problem)
    setApplying(false)
  }

  return (
    <Dialog
      title="Extend Entity"
      description={entity.name}
      onClose={onClose}
      entered={parent !== null}
      width={440}
      error={error}
      busy={applying}
      footer={
        <>
          <CloseButton label="Close" />
          <Button
            size="dialog"
            variant="primary"
            busy={applying}
            disabled={!parent && reasons.select('an entity')}
            onClick={() => void apply()}
          >
            Apply
          </Button>
        </>
      }
    >
      <div className={styles['fields']}>
        <SearchSelect<{ id: number; name: string; location: string }>
          label="Entity"
          required
          placeholder="Select Entity"
          source={entitySource({
            ...filters.query,
            excluded: { ...entity, why: messages.extendedByItself },
            near: entity.manifest,
          })}
          value={
            parent && {
              value: String(parent.id),
              label: parent.name,
              detail: folderOf(parent.path),
              data: { ...parent, location: parent.path },
            }
          }
          onChange={({ data }) => {
            setParent({ id: data.id, name: data.name, path: data.location })
            setError(null)
          }}
        />
        <EntityFilters {...filters} />
      </div>
    </Dialog>
  )
}
