import { diagramLimits } from '@cadmus/model/diagram/view'
import { viewTexts } from '@cadmus/model/messages/diagram-views'
import { boundedText } from '@cadmus/model/rules/names'
import { useState } from 'react'
import { messageOf } from '../api/error.ts'
import { Checkbox } from '../ui/Checkbox.tsx'
import { FormDialog, useSubmission } from '../ui/FormDialog.tsx'
import { TextField } from '../ui/TextField.tsx'
import { reasons } from '../ui/reasons.ts'

export type ViewDialogProps = {
  title: string
  name: string
  /** Undefined: the choice between shared and personal is not offered. */
  shared?: { value: boolean; locked: string | null }
  submitLabel: string
  onSave: (view: { name: string; shared: boolean }) => Promise<void>
  onClose: () => void
}

const { dialog: texts } = viewTexts

/** Names a view, and says whom a new one is for. */
export function ViewDialog({ title, name: before, shared, submitLabel, onSave, onClose }: ViewDialogProps) {
  const [name, setName] = useState(before)
  const [isShared, setShared] = useState(shared?.value ?? false)
  const { busy, failure, reset, submit } = useSubmission()
  const problem = boundedText(name, diagramLimits.viewName)
  const refusal = failure === null ? null : messageOf(failure, viewTexts.notStored)

  async function save() {
    await onSave({ name: name.trim(), shared: isShared })
    onClose()
  }

  return (
    <FormDialog
      title={title}
      width={420}
      busy={busy}
      onClose={onClose}
      entered={name !== before}
      submitLabel={submitLabel}
      blocked={reasons.field(texts.name, problem)}
      onSubmit={() => void submit(save)}
    >
      <TextField
        label={texts.name}
        required
        value={name}
        error={refusal ?? (name === '' ? null : (problem ?? null))}
        onFocus={event => event.target.select()}
        onChange={text => {
          setName(text)
          reset()
        }}
      />
      {shared && (
        <Checkbox
          label={texts.shared}
          hint={shared.locked ?? texts.sharedHint}
          checked={isShared}
          disabled={shared.locked !== null}
          onChange={setShared}
        />
      )}
    </FormDialog>
  )
}
