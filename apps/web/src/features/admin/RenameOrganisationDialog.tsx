import { organisationName } from '@cadmus/model/rules/organisation'
import { useState } from 'react'
import { saveOrganisation, type LoadedOrganisation } from '../../api/organisations.ts'
import { Alert } from '../../ui/Alert.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { notify } from '../../ui/Snackbar.tsx'
import { ConcurrentChanges, useGuardedSubmission } from './ConcurrentChanges.tsx'
import { reasons } from '../../ui/reasons.ts'

export type RenameOrganisationDialogProps = { loaded: LoadedOrganisation; onClose: () => void }

/** Renames the organisation. Its code never changes. */
export function RenameOrganisationDialog({ loaded, onClose }: RenameOrganisationDialogProps) {
  const { code, name: before, namedByProvider } = loaded.organisation
  const [name, setName] = useState(before)
  const { busy, error, theirs, reset, submit } = useGuardedSubmission(loaded.etag, 'Failed to rename organisation')
  const problem = organisationName(name.trim())

  async function save(base: string) {
    if (name.trim() === before && theirs.length === 0) return onClose()
    await saveOrganisation(code, { name: name.trim() }, base)
    notify('success', `Renamed organisation ${code} to ${name.trim()}.`)
    onClose()
  }

  return (
    <FormDialog
      title="Rename Organisation"
      description={code}
      width={420}
      busy={busy}
      onClose={onClose}
      entered={name !== before}
      submitLabel="Rename"
      blocked={reasons.field('Name', problem)}
      onSubmit={() => void submit(save)}
    >
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
        error={problem ?? error}
        onFocus={event => event.target.select()}
        onChange={text => {
          setName(text)
          reset()
        }}
      />
    </FormDialog>
  )
}
