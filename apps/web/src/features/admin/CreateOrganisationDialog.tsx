import type { OrganisationAnswer } from '@cadmus/model/contract/admin-organisation'
import { organisationCode, organisationName } from '@cadmus/model/rules/organisation'
import { useState } from 'react'
import { ApiError, messageOf } from '../../api/error.ts'
import { createOrganisation } from '../../api/organisations.ts'
import { FormDialog, useSubmission } from '../../ui/FormDialog.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { notify } from '../../ui/Snackbar.tsx'
import { titleOf } from './labels.ts'
import { reasons } from '../../ui/reasons.ts'

export type CreateOrganisationDialogProps = {
  onCreated: (organisation: OrganisationAnswer) => void
  onClose: () => void
}

export function CreateOrganisationDialog({ onCreated, onClose }: CreateOrganisationDialogProps) {
  const [code, setCode] = useState('')
  const [name, setName] = useState('')
  const { busy, failure, reset, submit } = useSubmission()
  const refusals = new Map(
    failure instanceof ApiError ? failure.errors.map(({ path, message }) => [path, message]) : [],
  )
  const problems = { code: organisationCode(code), name: organisationName(name.trim()) }

  async function create() {
    const organisation = await createOrganisation({ code, name: name.trim() })
    notify('success', `Created organisation ${titleOf(organisation)}.`)
    onClose()
    onCreated(organisation)
  }

  return (
    <FormDialog
      title="Create Organisation"
      onClose={onClose}
      busy={busy}
      entered={code !== '' || name !== ''}
      error={failure === null || refusals.size > 0 ? null : messageOf(failure, 'Failed to create organisation')}
      submitLabel="Create"
      blocked={reasons.field('Code', problems.code) ?? reasons.field('Name', problems.name)}
      onSubmit={() => void submit(create)}
    >
      <TextField
        label="Code"
        required
        mono
        value={code}
        hint="Upper-case letters, digits, '_' and '-'. It cannot be changed later."
        error={refusals.get('code') ?? (code === '' ? null : (problems.code ?? null))}
        onChange={text => {
          // Codes are upper case only: convert instead of refusing.
          setCode(text.toUpperCase())
          reset()
        }}
      />
      <TextField
        label="Name"
        required
        value={name}
        error={refusals.get('name') ?? (name === '' ? null : (problems.name ?? null))}
        onChange={text => {
          setName(text)
          reset()
        }}
      />
    </FormDialog>
  )
}
