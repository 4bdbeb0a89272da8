import { messages } from '@cadmus/model/messages'
import { entityName } from '@cadmus/model/rules/names'
import { useState } from 'react'
import { ApiError, messageOf } from '../../api/error.ts'
import { ManifestSelect } from '../../commands/ManifestSelect.tsx'
import type { DraftKey } from '../../drafts/draft-key.ts'
import { FormDialog, useSubmission } from '../../ui/FormDialog.tsx'
import { TextField } from '../../ui/TextField.tsx'
import type { OpenEntity } from '../../drafts/entity-store.ts'
import { recreateEntity, refusedPlace, type NewPlace } from './save-as-new.ts'
import { reasons } from '../../ui/reasons.ts'

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
  const { busy, failure, reset, submit } = useSubmission(problem)
  const unnamed = entityName(place.name)
  // An entity without a manifest may be saved without one.
  const isMissing = place.manifest === null && open.draft.saved.targetManifest !== null
  const { name, manifest } = place

  function change(next: Partial<NewPlace>) {
    setPlace({ ...place, ...next })
    // The failure was about the previous input.
    reset()
  }

  async function finish() {
    try {
      await recreateEntity(at, open, { ...place, name: name.trim() })
      return onClose()
    } catch (refusal) {
      if (!(refusal instanceof ApiError)) throw refusal
      const left = refusedPlace(place, refusal)
      setPlace(left.place)
      return left.problem
    }
  }

  return (
    <FormDialog
      title="Save as New Entity"
      onClose={onClose}
      entered={name !== refused.name || manifest?.id !== refused.manifest?.id}
      width={420}
      error={failure === null ? null : messageOf(failure, messages.failed.saveEntity)}
      busy={busy}
      submitLabel="Save"
      blocked={unnamed ?? (isMissing && reasons.select('a manifest'))}
      onSubmit={() => void submit(finish)}
    >
      <TextField
        label="Name"
        required
        mono
        value={name}
        error={unnamed ?? null}
        onFocus={event => event.target.select()}
        onChange={next => change({ name: next })}
      />
      <ManifestSelect label="Manifest" value={manifest} onChange={chosen => change({ manifest: chosen })} />
    </FormDialog>
  )
}
