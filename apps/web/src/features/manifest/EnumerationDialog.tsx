import { useState } from 'react'
import type { Enumeration } from '@cadmus/model/enumeration'
import { isEqual } from '@cadmus/model/equal'
import { enumerationTexts as texts } from '@cadmus/model/messages/enumerations'
import { enumerationFault } from '@cadmus/model/rules/enumerations'
import { messageOf } from '../../api/error.ts'
import { FormDialog, useSubmission } from '../../ui/FormDialog.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { reasons } from '../../ui/reasons.ts'
import { EnumerationValues } from './EnumerationValues.tsx'
import { enteredValues } from './enumeration-rows.ts'

type EnumerationDialogProps = {
  enumeration: Enumeration
  isNew: boolean
  others: readonly Enumeration[]
  onSave: (enumeration: Enumeration) => Promise<void>
  onClose: () => void
}

/** Edits the name, description and values of an enumeration, and saves it. */
export function EnumerationDialog({ enumeration, isNew, others, onSave, onClose }: EnumerationDialogProps) {
  const [edited, setEdited] = useState(enumeration)
  const { busy, failure, reset, submit } = useSubmission()
  const whole = { ...edited, name: edited.name.trim(), values: enteredValues(edited.values) }
  const fault = enumerationFault(whole, others)
  const isTyped = edited.name !== '' || !isNew
  const change = (part: Partial<Enumeration>) => {
    setEdited(now => ({ ...now, ...part }))
    reset()
  }
  return (
    <FormDialog
      title={isNew ? texts.addTitle : texts.editTitle}
      width={620}
      busy={busy}
      onClose={onClose}
      entered={!isEqual(edited, enumeration)}
      submitLabel={isNew ? 'Add' : 'Save'}
      blocked={reasons.field(fault?.field === 'values' ? 'Values' : 'Name', fault?.message)}
      onSubmit={() => void submit(async () => (isEqual(whole, enumeration) ? onClose() : onSave(whole)))}
    >
      <TextField
        label="Name"
        required
        mono
        value={edited.name}
        error={
          failure === null
            ? ((isTyped && fault?.field === 'name' ? fault.message : undefined) ?? null)
            : messageOf(failure, texts.failed)
        }
        onChange={name => change({ name })}
      />
      <TextField label="Description" value={edited.description} onChange={description => change({ description })} />
      <EnumerationValues values={edited.values} onChange={values => change({ values: [...values] })} />
    </FormDialog>
  )
}
