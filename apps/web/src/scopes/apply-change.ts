import type { ConfigurationEdit } from '@cadmus/model/edits/configuration-edits'
import type { OperationScopes } from '@cadmus/model/operations'
import { apiOperations } from '@cadmus/model/required-scopes'
import { configurationToEdit, entitiesToEdit } from '../drafts/documents-to-edit.ts'
import { type DraftStep, editDraft } from '../drafts/edit-draft.ts'
import { definedIn, type DefinedScopes, fieldOf, type ScopeChange } from './scope-changes.ts'

/** What a change made: a step in each draft, and the change that restores the state before. */
export type Applied = { steps: readonly DraftStep[]; back: ScopeChange }

/**
 * Makes a change in the drafts of entities and of the configuration, a step in each. Reads all of them first, so that a failure changes
 * nothing.
 */
export async function applyChange(manifestId: number, { entities, defined }: ScopeChange): Promise<Applied> {
  const configuration = defined ? await configurationToEdit(manifestId) : null
  const documents = await entitiesToEdit([...entities.keys()])
  const steps: DraftStep[] = []
  const before = new Map<number, ReturnType<typeof scopesBefore>>()
  for (const document of documents) {
    const { id } = document.saved
    const change = entities.get(id)
    if (!change) continue
    const step = editDraft(
      document,
      content => {
        before.set(id, scopesBefore(content.operationScopes, change))
        return [{ kind: 'changeScopes' as const, change }]
      },
      { hidden: true },
    )
    if (step) steps.push(step)
  }
  let definedBefore: DefinedScopes | undefined
  if (configuration && defined) {
    const step = editDraft(
      configuration,
      content => {
        definedBefore = definedIn(content.configurationBuild)
        return [definitionEdit(defined)]
      },
      { hidden: true },
    )
    if (step) steps.push(step)
  }
  return { steps, back: { entities: before, defined: definedBefore } }
}

function scopesBefore(scopes: OperationScopes, change: Partial<OperationScopes>): Partial<OperationScopes> {
  const fields = apiOperations.map(fieldOf).filter(field => change[field] !== undefined)
  return Object.fromEntries(fields.map(field => [field, scopes[field]]))
}

function definitionEdit({ scopeDefinitions, globalScopes, excludeOperations }: DefinedScopes): ConfigurationEdit {
  const path = ['configurationBuild', 'apiScopeConfiguration']
  const changes = [
    { path: [...path, 'scopeDefinitions'], value: [...scopeDefinitions] },
    { path: [...path, 'globalScopes'], value: [...globalScopes] },
    { path: ['configurationBuild', 'apiConfiguration', 'excludeOperations'], value: [...excludeOperations] },
  ]
  return { kind: 'changeConfiguration', changes }
}
