import { scopeDialogTexts } from '@cadmus/model/messages/scope-dialogs'
import { scopeMatrixTexts } from '@cadmus/model/messages/scope-matrix'
import { countOpen } from '@cadmus/model/required-scopes'
import { confirm } from '../workbench/confirm.ts'
import { usesOf } from './matrix-rows.ts'
import { removeScope } from './scope-changes.ts'
import type { ShownScopes } from './use-scope-state.ts'

const { removal } = scopeDialogTexts
const { steps: labels } = scopeMatrixTexts

/** Removes a scope everywhere after a question that says how many operations this opens. */
export async function removeAfterQuestion(shown: ShownScopes, scope: string): Promise<void> {
  const change = removeScope(shown, scope)
  const { operations } = usesOf(shown.rows, scope)
  const after = shown.rows.map(row => ({
    ...row,
    operationScopes: { ...row.operationScopes, ...change.entities.get(row.id) },
  }))
  const globalScopes = (change.defined ?? shown.defined).globalScopes
  const access = { ...shown.access, rules: { ...shown.access.rules, globalScopes } }
  const opens = countOpen(after, access).open - countOpen(shown.rows, shown.access).open
  const isConfirmed = await confirm({
    title: removal.title,
    text: removal.text(scope, operations),
    ...(opens > 0 ? { details: [removal.opens(opens)] } : {}),
    confirmLabel: removal.confirm,
    danger: true,
  })
  if (isConfirmed) shown.session.change(labels.remove(scope), change)
}
