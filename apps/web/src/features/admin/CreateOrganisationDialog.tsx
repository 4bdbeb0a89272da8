import type { OrganisationAnswer } from '@cadmus/model/contract/admin-organisation'
import { organisationCode, organisationName } from '@cadmus/model/rules/organisation'
import { useState, type FormEvent } from 'react'
import { ApiError, messageOf } from '../../api/error.ts'
import { createOrganisation } from '../../api/organisations.ts'
import { Button } from '../../ui/Button.tsx'
import { CloseButton, Dialog } from '../../ui/Dialog.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { notify } from '../../ui/Snackbar.tsx'
import { titleOf } from './labels.ts'
import { reasons } from '../../ui/reasons.ts'
import styles from './Admin.module.css'

export type CreateOrganisationDialogProps = {
  onCreated: (organisation: OrganisationAnswer) => void
  onClose: () => void
}

export function CreateOrganisationDialog({ onCreated, onClose }: CreateOrganisationDialogProps) {
  const [code, setCode] = useState('')
  const [name, setName] = useState('')
  const [saving, setSaving] = useState(false)
  const [refused, setRefused] = useState<unknown>(null)
  const refusals = new Map(
    refused instanceof ApiError ? refused.errors.map(({ path, message }) => [path, message]) : [],
  )
  const problems = { code: organisationCode(code), name: organisationName(name.trim()) }

  async function create(event: FormEvent) {
    event.preventDefault()
    if (problems.code !== undefined || problems.name !== undefined || saving) return
    setSaving(true)
    setRefused(null)
    try {
      const organisation = await createOrganisation({ code, name: name.trim() })
      notify('success', `Created organisation ${titleOf(organisation)}.`)
      onClose()
      onCreated(organisation)
    } catch (failure) {
      setRefused(failure)
      setSaving(false)
    }
  }

  return (
    <Dialog
      title="Create Organisation"
      onClose={onClose}
      busy={saving}
      entered={code !== '' || name !== ''}
      error={refused === null || refusals.size > 0 ? null : messageOf(refused, 'Failed to create organisation')}
      footer={
        <>
          <CloseButton />
          <Button
            size="dialog"
            variant="primary"
            type="submit"
            form="create-organisation"
            busy={saving}
            disabled={reasons.field('Code', problems.code) ?? reasons.field('Name', problems.name)}
          >
            Create
          </Button>
        </>
      }
    >
      <form id="create-organisation" className={styles['form']} onSubmit={event => void create(event)}>
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
            setRefused(null)
          }}
        />
        <TextField
          label="Name"
          required
          value={name}
          error={refusals.get('name') ?? (name === '' ? null : (problems.name ?? null))}
          onChange={text => {
            setName(text)
            setRefused(null)
          }}
        />
      </form>
    </Dialog>
  )
}
