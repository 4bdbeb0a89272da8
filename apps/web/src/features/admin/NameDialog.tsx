import { useId, useState, type FormEvent } from 'react'
import { ApiError, messageOf } from '../../api/error.ts'
import { notify } from '../../ui/Snackbar.tsx'
import { Button } from '../../ui/Button.tsx'
import { CloseButton, Dialog } from '../../ui/Dialog.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { reasons } from '../../ui/reasons.ts'

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
  const form = useId()
  const [name, setName] = useState(initial)
  const [saving, setSaving] = useState(false)
  const [refused, setRefused] = useState<unknown>(null)
  const problem = rule(name.trim())

  async function create(event: FormEvent) {
    event.preventDefault()
    if (problem !== undefined || saving) return
    setSaving(true)
    try {
      const created = await props.create(name.trim())
      notify('success', props.created)
      onClose()
      props.onCreated(created)
    } catch (failure) {
      setRefused(failure)
      setSaving(false)
    }
  }

  const [first] = refused instanceof ApiError ? refused.errors : []
  const refusal = refused === null ? null : (first?.message ?? messageOf(refused, props.failed))
  return (
    <Dialog
      title={title}
      description={location}
      width={420}
      busy={saving}
      onClose={onClose}
      entered={name !== initial}
      footer={
        <>
          <CloseButton />
          <Button
            size="dialog"
            variant="primary"
            type="submit"
            form={form}
            busy={saving}
            disabled={reasons.field('Name', problem)}
          >
            Create
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={event => void create(event)}>
        <TextField
          label="Name"
          required
          mono
          value={name}
          error={problem ?? refusal}
          onFocus={event => event.target.select()}
          onChange={text => {
            setName(text)
            // The refusal was about the previous input.
            setRefused(null)
          }}
        />
      </form>
    </Dialog>
  )
}
