import { useEffect, useState } from 'react'
import { messages } from '@cadmus/model/messages'
import { manifestName } from '@cadmus/model/rules/names'
import { ApiError, messageOf } from '../../api/error.ts'
import { renameManifest as rename } from '../../api/edits.ts'
import { manifestQuery } from '../../api/manifests.ts'
import { queryClient, refreshStructure } from '../../api/query-client.ts'
import { currentScope, scopeText, type Scope } from '../../api/scope.ts'
import { FormDialog, useSubmission } from '../../ui/FormDialog.tsx'
import { notify } from '../../ui/Snackbar.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { reasons } from '../../ui/reasons.ts'
import { scopeOfTab, tabIdOf } from '../../workbench/documents.ts'
import { workbench } from '../../workbench/page-workbench.ts'
import { allTabs } from '../../workbench/workbench.ts'

export type RenameManifestDialogProps = { manifest: { id: number; name: string }; onClose: () => void }

/** Renames a manifest. A refusal shows below the field. */
export function RenameManifestDialog({ manifest: { id, name: before }, onClose }: RenameManifestDialogProps) {
  const [shown] = useState(before)
  const [scope] = useState(currentScope)
  const [name, setName] = useState(before)
  const [base, setBase] = useState<Named | null>(null)
  const { busy, failure, reset, submit } = useSubmission()
  const problem = name.trim() === (base?.name ?? before) ? undefined : manifestName(name.trim())

  useEffect(() => {
    // The rename is based on the state shown.
    queryClient.ensureQueryData(manifestQuery(id, undefined, scope)).then(
      ({ manifest, etag }) => {
        setBase({ id, name: manifest.name, path: manifest.path, etag, scope })
        // If the manifest was renamed since the row was read, the new name is shown unless the user has typed.
        setName(typed => (typed === shown ? manifest.name : typed))
      },
      () => undefined,
    )
  }, [id, shown, scope])

  async function finish() {
    if (name.trim() === (base?.name ?? before)) return onClose()
    const current = base ?? (await readBase(id, scope))
    try {
      const undo = await renameManifest(current, name.trim())
      notify('success', messages.manifestRenamed(current.name, name.trim()), { label: 'Undo', run: undo })
      onClose()
    } catch (conflict) {
      // The concurrent name is now visible, so the next rename is based on it.
      if (conflict instanceof ApiError && conflict.status === 409) {
        refreshStructure()
        setBase(await readBase(id, scope).catch(() => null))
      }
      throw conflict
    }
  }

  return (
    <FormDialog
      title="Rename Manifest"
      width={420}
      busy={busy}
      onClose={onClose}
      entered={name !== (base?.name ?? before)}
      submitLabel="Rename"
      blocked={reasons.field('Name', problem)}
      onSubmit={() => void submit(finish)}
    >
      <TextField
        label="Name"
        required
        mono
        value={name}
        error={failure === null ? (problem ?? null) : describeFailure(failure)}
        onFocus={event => event.target.select()}
        onChange={text => {
          setName(text)
          reset()
        }}
      />
    </FormDialog>
  )
}

async function readBase(id: number, scope: Scope): Promise<Named> {
  const { manifest, etag } = await queryClient.fetchQuery({ ...manifestQuery(id, undefined, scope), staleTime: 0 })
  return { id, name: manifest.name, path: manifest.path, etag, scope }
}

/** For a conflict, includes the current name and its author. */
function describeFailure(failure: unknown): string {
  const [conflict] = failure instanceof ApiError ? failure.conflicts : []
  if (conflict) return messages.renamedConcurrently(String(conflict.theirs), conflict.who)
  return messageOf(failure, messages.failed.renameManifest)
}

/** A manifest name with the ETag of its state. `scope`: of the rename and its undo. */
export type Named = { id: number; name: string; path: string; etag: string; scope: Scope }

/** Renames the manifest and updates open tabs. Returns the undo function. */
export async function renameManifest(before: Named, name: string): Promise<() => void> {
  const { scope } = before
  const { manifest, etag } = await rename(before.id, name, before)
  const after = { id: manifest.id, name: manifest.name, path: manifest.path, etag, scope }
  const state = workbench.getState()
  const { rename: renameTab } = state
  renameTab(tabIdOf({ kind: 'manifest', id: after.id }, scope), after.name, after.path)
  renameTab(tabIdOf({ kind: 'configuration', id: after.id }, scope), `${after.name} Configuration`, after.path)
  for (const tab of allTabs(state)) {
    if (tab.kind === 'entity' && scopeOfTab(tab.tabId) === scopeText(scope) && tab.path?.startsWith(`${before.path}/`))
      renameTab(tab.tabId, tab.name, `${after.path}${tab.path.slice(before.path.length)}`)
  }
  return () => {
    renameManifest(after, before.name).catch((failure: unknown) =>
      notify('error', messageOf(failure, messages.failed.renameManifest)),
    )
  }
}
