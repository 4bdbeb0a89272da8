import { useState } from 'react'
import { notify } from '../../ui/Snackbar.tsx'
import { FormDialog, useSubmission } from '../../ui/FormDialog.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { reasons } from '../../ui/reasons.ts'
import { refusalOf } from './labels.ts'

export type NameDialogProps = {
  title: string
  /** Name of the organisation. */
  location: string
  initial: string
  rule: (name: string) => string | undefined
  create: (name: string) => Promise<{ id: number; name: string; path: string }>
  created: string
  failed: string
  onCreated: (created: { id: number; name: string; path: string }) => void
  onClose: () => void
}

/** Creates an object from a name alone. A refusal shows below the field and keeps the dialog open. */
export function NameDialog(props: NameDialogProps) {
  const { title, location, initial, rule, onClose } = props
  const [name, setName] = useState(initial)
  const { busy, failure, reset, submit } = useSubmission()
  const problem = rule(name.trim())

  async function create() {
    const created = await props.create(name.trim())
    notify('success', props.created)
    onClose()
    props.onCreated(created)
  }

  return (
    <FormDialog
      title={title}
      description={location}
      width={420}
      busy={busy}
      onClose={onClose}
      entered={name !== initial}
      submitLabel="Create"
      blocked={reasons.field('Name', problem)}
      onSubmit={() => void submit(create)}
    >
      <TextField
        label="Name"
        required
        mono
        value={name}
        error={problem ?? (failure === null ? null : refusalOf(failure, props.failed))}
        onFocus={event => event.target.select()}
        onChange={text => {
          setName(text)
          // The refusal was about the previous input.
          reset()
        }}
      />
    </FormDialog>
  )
}
