import { scopeDialogTexts } from '@cadmus/model/messages/scope-dialogs'
import { scopeMatrixTexts } from '@cadmus/model/messages/scope-matrix'
import { scopeProblem, scopesOf } from '@cadmus/model/rules/scopes'
import { useState } from 'react'
import { Alert } from '../ui/Alert.tsx'
import { FormDialog } from '../ui/FormDialog.tsx'
import { reasons } from '../ui/reasons.ts'
import { TextField } from '../ui/TextField.tsx'
import { allScopes, usesOf } from './matrix-rows.ts'
import { renameScope } from './scope-changes.ts'
import type { ShownScopes } from './use-scope-state.ts'

const { renameDialog: texts } = scopeDialogTexts
const { steps } = scopeMatrixTexts

export type RenameScopeDialogProps = {
  shown: ShownScopes
  scope: string
  onRenamed: (to: string) => void
  onClose: () => void
}

/** Gives a scope another name everywhere; an existing one takes its place after a warning. */
export function RenameScopeDialog({ shown, scope, onRenamed, onClose }: RenameScopeDialogProps) {
  const [name, setName] = useState(scope)
  const to = name.trim()
  const isSame = to === scope
  const problem = isSame ? undefined : scopeProblem(to)
  const isMerge = !isSame && allScopes(shown.rows, shown.defined).includes(to)
  const change = renameScope(shown, scope, to)
  const shared = shown.rows.filter(row => row.sharedWith.length > 0 && scopesOf(row).includes(scope)).length
  return (
    <FormDialog
      title={texts.title}
      width={440}
      entered={!isSame}
      onClose={onClose}
      submitLabel={isMerge ? texts.merge : texts.submit}
      blocked={reasons.field(texts.name, problem)}
      onSubmit={() => {
        if (!isSame && !shown.session.change(steps.rename(scope, to), change)) return
        if (!isSame) onRenamed(to)
        onClose()
      }}
    >
      <TextField
        label={texts.name}
        required
        mono
        value={name}
        hint={texts.where(scope, usesOf(shown.rows, scope).entities)}
        error={problem ?? null}
        onFocus={event => event.target.select()}
        onChange={setName}
      />
      {shared > 0 && <Alert kind="info">{texts.shared(shared)}</Alert>}
      {isMerge && <Alert kind="warning">{texts.merges(to)}</Alert>}
    </FormDialog>
  )
}
