import { nextPatch } from '@cadmus/model/version'
import { newVersion } from '@cadmus/model/rules/version'
import { messages } from '@cadmus/model/messages'
import { compareTexts } from '@cadmus/model/messages/compare'
import { GitCompareArrows, History, Plus, Trash2 } from 'lucide-react'
import { useEffect, useRef, useState, type FormEvent } from 'react'
import type { Form } from '../../api/creation-id.ts'
import { messageOf, whyFailed } from '../../api/error.ts'
import { openAt } from '../../commands/DocumentLink.tsx'
import { sideWord } from '../../compare/side-code.ts'
import { Button } from '../../ui/Button.tsx'
import { DataTable, type Column } from '../../ui/DataTable.tsx'
import { CloseButton, Dialog } from '../../ui/Dialog.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { notify } from '../../ui/Snackbar.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { compareTab } from '../../workbench/address.ts'
import type { DocumentRef } from '../../workbench/documents.ts'
import styles from './Versions.module.css'

export type VersionRow = { version: string; cells: Record<string, string> }

export type ManageVersionsDialogProps = {
  document: DocumentRef
  field: string
  /** Columns beside Version, by cell id. */
  columns: readonly { id: string; header: string }[]
  /** Highest first; undefined while loading. */
  rows: readonly VersionRow[] | undefined
  readError?: { error: Error; retry: () => void } | undefined
  latest: string
  created: string
  failed: string
  /** `form`: stable while the dialog is open. */
  add: (version: string, form: Form) => Promise<void>
  remove: (version: string) => Promise<void>
  onClose: () => void
}

/** Manage Versions: adds a version and lists the existing ones; all but the latest can be deleted. */
export function ManageVersionsDialog(props: ManageVersionsDialogProps) {
  const { rows, latest, readError } = props
  const [typed, setTyped] = useState<string | null>(null)
  const [form] = useState(() => ({}))
  const [saving, setSaving] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const version = typed ?? nextPatch([latest])
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    // Select the suggestion, so that typing replaces it.
    if (typed === null && document.activeElement === field.current) field.current?.select()
  }, [typed, version])
  const problem = newVersion(version, { existing: rows?.map(row => row.version) ?? [] })

  async function add(event: FormEvent) {
    event.preventDefault()
    if (problem || saving) return
    setSaving(true)
    setError(null)
    try {
      await props.add(version, form)
      // Keep text typed during the request.
      setTyped(now => (now === typed ? null : now))
      notify('success', props.created)
    } catch (failure) {
      setError(messageOf(failure, props.failed))
    } finally {
      setSaving(false)
    }
  }

  async function remove(row: VersionRow) {
    try {
      await props.remove(row.version)
    } catch (failure) {
      notify('error', whyFailed(failure))
    }
  }

  return (
    <Dialog
      title="Manage Versions"
      description={props.document.name}
      width={640}
      onClose={props.onClose}
      entered={typed !== null && typed.trim() !== '' && typed !== nextPatch([latest])}
      footer={<CloseButton />}
    >
      <form className={styles['add']} onSubmit={event => void add(event)}>
        <TextField
          label={props.field}
          required
          mono
          ref={field}
          value={version}
          onFocus={event => {
            if (typed === null) event.target.select()
          }}
          error={error ?? (typed === null ? null : (problem ?? null))}
          onChange={text => {
            setTyped(text)
            // The error was about the previous input.
            setError(null)
          }}
        />
        <Button type="submit" size="dialog" icon={Plus} busy={saving} disabled={problem}>
          Add
        </Button>
      </form>
      <DataTable
        label="Versions"
        columns={columnsOf(props.columns)}
        rows={rows ?? []}
        rowId={row => row.version}
        rowName={row => row.version}
        loading={rows === undefined && !readError}
        entriesFor={row => [
          {
            kind: 'item',
            id: 'compare',
            label: compareTexts.withNow,
            icon: GitCompareArrows,
            disabled: row.version === latest && compareTexts.isNow,
            run: () => {
              props.onClose()
              openAt(props.document, {
                tab: compareTab,
                before: sideWord({ kind: 'version', version: row.version }),
                after: 'now',
                view: undefined,
              })
            },
          },
          {
            kind: 'item',
            id: 'delete',
            label: 'Delete',
            icon: Trash2,
            danger: true,
            disabled: row.version === latest ? messages.versionLatest : false,
            run: () => void remove(row),
          },
        ]}
        empty={readError ? <ReadError {...readError} /> : <EmptyState icon={History} text={noVersions} />}
      />
    </Dialog>
  )
}

const noVersions = 'No versions to display'

/** A failed read shows no versions (document 1 §7), with the reason. */
function ReadError({ error, retry }: NonNullable<ManageVersionsDialogProps['readError']>) {
  return <ErrorState message={`${noVersions}. ${messageOf(error, messages.failed.unexpected)}`} onRetry={retry} />
}

function columnsOf(columns: ManageVersionsDialogProps['columns']): Column<VersionRow>[] {
  const others = columns.map(({ id, header }) => ({ id, header, cell: (row: VersionRow) => row.cells[id] ?? '' }))
  return [{ id: 'version', header: 'Version', mono: true, width: '120px', cell: row => row.version }, ...others]
}
