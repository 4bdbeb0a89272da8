import { organisationName } from '@cadmus/model/rules/organisation'
import { useState, type FormEvent } from 'react'
import { ApiError } from '../../api/error.ts'
import { saveOrganisation, type LoadedOrganisation } from '../../api/organisations.ts'
import { Alert } from '../../ui/Alert.tsx'
import { Button } from '../../ui/Button.tsx'
import { CloseButton, Dialog } from '../../ui/Dialog.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { notify } from '../../ui/Snackbar.tsx'
import { ConcurrentChanges } from './ConcurrentChanges.tsx'
import { describeConflicts, refusalOf } from './labels.ts'
import { reasons } from '../../ui/reasons.ts'
import styles from './Admin.module.css'

export type RenameOrganisationDialogProps = { loaded: LoadedOrganisation; onClose: () => void }

/** Renames the organisation. Its code never changes. */
export function RenameOrganisationDialog({ loaded, onClose }: RenameOrganisationDialogProps) {
  const { code, name: before, namedByProvider } = loaded.organisation
  const [name, setName] = useState(before)
  const [base, setBase] = useState(loaded.etag)
  const [saving, setSaving] = useState(false)
  const [refused, setRefused] = useState<unknown>(null)
  const problem = organisationName(name.trim())
  const theirs = describeConflicts(refused)

  async function save(event: FormEvent) {
    event.preventDefault()
    if (problem !== undefined || saving) return
    if (name.trim() === before && theirs.length === 0) return onClose()
    setSaving(true)
    try {
      await saveOrganisation(code, { name: name.trim() }, base)
      notify('success', `Renamed organisation ${code} to ${name.trim()}.`)
      onClose()
    } catch (failure) {
      // The concurrent name is now visible, so the next save may replace it.
      if (failure instanceof ApiError && failure.etag !== '') setBase(failure.etag)
      setRefused(failure)
      setSaving(false)
    }
  }

  return (
    <Dialog
      title="Rename Organisation"
      description={code}
      width={420}
      busy={saving}
      onClose={onClose}
      entered={name !== before}
      footer={
        <>
          <CloseButton />
          <Button
            size="dialog"
            variant="primary"
            type="submit"
            form="rename-organisation"
            busy={saving}
            disabled={reasons.field('Name', problem)}
          >
            Rename
          </Button>
        </>
      }
    >
      <form id="rename-organisation" className={styles['form']} onSubmit={event => void save(event)}>
        <ConcurrentChanges lines={theirs} />
        {namedByProvider && (
          <Alert kind="info">
            The identity provider also sets this name and restores it when a member next signs in.
          </Alert>
        )}
        <TextField
          label="Name"
          required
          value={name}
          error={
            problem ??
            (refused === null || theirs.length > 0 ? null : refusalOf(refused, 'Failed to rename organisation'))
          }
          onFocus={event => event.target.select()}
          onChange={text => {
            setName(text)
            // The refusal was about the previous input; the concurrent name stays visible until it is replaced.
            if (theirs.length === 0) setRefused(null)
          }}
        />
      </form>
    </Dialog>
  )
}
