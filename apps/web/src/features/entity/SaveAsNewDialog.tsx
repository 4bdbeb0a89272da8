import { messages } from '@cadmus/model/messages'
import { entityName } from '@cadmus/model/rules/names'
import { useState, type FormEvent } from 'react'
import { ApiError, messageOf } from '../../api/error.ts'
import { manifestSource } from '../../api/manifests.ts'
import type { DraftKey } from '../../drafts/draft-key.ts'
import { Button } from '../../ui/Button.tsx'
import { CloseButton, Dialog } from '../../ui/Dialog.tsx'
import { SearchSelect } from '../../ui/Combobox.tsx'
import { TextField } from '../../ui/TextField.tsx'
import type { OpenEntity } from './entity-store.ts'
import { recreateEntity, refusedPlace, type NewPlace } from './save-as-new.ts'
import { reasons } from '../../ui/reasons.ts'
import styles from './Entity.module.css'

export type SaveAsNewDialogProps = {
  at: DraftKey
  open: OpenEntity
  /** The refused place and the reason. */
  place: NewPlace
  problem: string
  onClose: () => void
}

/** Saves the changes of a deleted entity under a new name and manifest. */
export function SaveAsNewDialog({ at, open, place: refused, problem, onClose }: SaveAsNewDialogProps) {
  const [place, setPlace] = useState(refused)
  const [error, setError] = useState<string | null>(problem)
  const [saving, setSaving] = useState(false)
  const unnamed = entityName(place.name)
  // An entity without a manifest may be saved without one.
  const isMissing = place.manifest === null && open.draft.saved.targetManifest !== null
  const { name, manifest } = place

  function change(next: Partial<NewPlace>) {
    setPlace({ ...place, ...next })
    // The error was about the previous input.
    setError(null)
  }

  async function finish(event: FormEvent) {
    event.preventDefault()
    if (unnamed !== undefined || isMissing || saving) return
    setSaving(true)
    setError(null)
    try {
      await recreateEntity(at, open, { ...place, name: name.trim() })
      onClose()
    } catch (failure) {
      setSaving(false)
      if (!(failure instanceof ApiError)) return setError(messageOf(failure, messages.failed.saveEntity))
      const left = refusedPlace(place, failure)
      setPlace(left.place)
      setError(left.problem)
    }
  }

  return (
    <Dialog
      title="Save as New Entity"
      onClose={onClose}
      entered={name !== refused.name || manifest?.id !== refused.manifest?.id}
      width={420}
      error={error}
      busy={saving}
      footer={
        <>
          <CloseButton />
          <Button
            size="dialog"
            variant="primary"
            type="submit"
            form="save-as-new"
            busy={saving}
            disabled={unnamed ?? (isMissing && reasons.select('a manifest'))}
          >
            Save
          </Button>
        </>
      }
    >
      <form id="save-as-new" className={styles['fields']} onSubmit={event => void finish(event)}>
        <TextField
          label="Name"
          required
          mono
          value={name}
          error={unnamed ?? null}
          onFocus={event => event.target.select()}
          onChange={next => change({ name: next })}
        />
        <SearchSelect<{ id: number; name: string }>
          label="Manifest"
          placeholder={messages.placeholders.selectManifest}
          source={manifestSource()}
          value={manifest && { value: String(manifest.id), label: manifest.name, data: manifest }}
          onChange={({ data }) => change({ manifest: data })}
        />
      </form>
    </Dialog>
  )
}
