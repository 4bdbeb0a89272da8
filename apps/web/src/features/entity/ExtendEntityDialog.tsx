import type { EntityReference } from '@cadmus/model/entity-attribute'
import { limits } from '@cadmus/model/limits'
import { folderOf } from '@cadmus/model/paths'
import { messages } from '@cadmus/model/messages'
import { useState } from 'react'
import { entitySource } from '../../api/entities.ts'
import { messageOf } from '../../api/error.ts'
import { folderSource } from '../../api/folders.ts'
import { Button } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { SearchSelect } from '../../ui/SearchSelect.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { useDebounced } from '../../ui/use-debounced.ts'
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
  const [core, setCore] = useState(false)
  const [folder, setFolder] = useState('')
  const [path, setPath] = useState('')
  const pathFilter = useDebounced(path.trim(), limits.searchDebounce)
  const filter = core ? ('ALL' as const) : ('PRIVATE' as const)
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
          <Button size="dialog" disabled={applying} onClick={onClose}>
            Close
          </Button>
          <Button size="dialog" variant="primary" busy={applying} disabled={!parent} onClick={() => void apply()}>
            Apply
          </Button>
        </>
      }
    >
      <div className={styles['fields']}>
        <Checkbox label="Show Core Entities" checked={core} onChange={setCore} />
        <SearchSelect<{ id: number; name: string; location: string }>
          label="Entity"
          required
          placeholder="Select Entity"
          source={entitySource({
            filter,
            excludedEntity: entity.id,
            folderFilter: folder,
            pathFilter,
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
        <details className={styles['filters']}>
          <summary>Advance Filters</summary>
          <div className={styles['fields']}>
            <SearchSelect<string>
              label="By Folder"
              placeholder="All folders"
              source={folderSource()}
              value={folder === '' ? null : { value: folder, label: folder, data: folder }}
              onChange={({ data }) => setFolder(data)}
            />
            <TextField label="By Path" mono value={path} onChange={setPath} />
            {(folder !== '' || path !== '') && (
              <Button
                variant="quiet"
                onClick={() => {
                  setFolder('')
                  setPath('')
                }}
              >
                Clear filters
              </Button>
            )}
          </div>
        </details>
      </div>
    </Dialog>
  )
}
