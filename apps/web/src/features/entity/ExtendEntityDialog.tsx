import type { EntityReference } from '@cadmus/model/entity-attribute'
import { folderOf } from '@cadmus/model/paths'
import { messages } from '@cadmus/model/messages'
import { useState } from 'react'
import { entitySource } from '../../api/entities.ts'
import { messageOf } from '../../api/error.ts'
import { EntityFilters, useEntityFilters } from '../../commands/EntityFilters.tsx'
import { FormDialog, useSubmission } from '../../ui/FormDialog.tsx'
import { SearchSelect } from '../../ui/Combobox.tsx'
import { reasons } from '../../ui/reasons.ts'

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
  const { busy, failure, reset, submit } = useSubmission()

  async function apply() {
    const problem = parent ? await onApply(parent) : undefined
    if (problem === undefined) onClose()
    return problem
  }

  return (
    <FormDialog
      title="Extend Entity"
      description={entity.name}
      onClose={onClose}
      entered={parent !== null}
      width={440}
      error={failure === null ? null : messageOf(failure, messages.failed.unexpected)}
      busy={busy}
      submitLabel="Apply"
      closeLabel="Close"
      blocked={!parent && reasons.select('an entity')}
      onSubmit={() => void submit(apply)}
    >
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
          reset()
        }}
      />
      <EntityFilters {...filters} />
    </FormDialog>
  )
}
