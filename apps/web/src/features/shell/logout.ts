import { firstTexts } from '@cadmus/model/messages/first-load'
import { clearOwnSettings } from '../../api/own-settings.ts'
import { forgetAllDrafts, storedTitles, type StoredTitle } from '../../api/stored-drafts.ts'
import { currentScope, scopeIn } from '../../api/scope.ts'
import { confirm, type Question } from '../../workbench/confirm.ts'
import { workbench } from '../../workbench/page-workbench.ts'
import { scopeOfTab } from '../../workbench/documents.ts'
import { allTabs, dirtyTabs } from '../../workbench/workbench.ts'

/**
 * Confirms, listing unsaved documents, then opens the sign-out page. `onlyForUnsaved`: confirms only with unsaved
 * documents.
 */
export async function logout({ onlyForUnsaved = false } = {}): Promise<void> {
  const details = namesOf(await unsaved())
  const question: Pick<Question, 'text' | 'lead' | 'details'> =
    details.length === 0
      ? { text: firstTexts.confirm.logout }
      : { text: firstTexts.confirm.logoutUnsaved, lead: firstTexts.logoutDiscards, details }
  const needsConfirmation = !onlyForUnsaved || details.length > 0
  if (
    needsConfirmation &&
    !(await confirm({ title: 'Logout', confirmLabel: 'Logout', danger: details.length > 0, ...question }))
  )
    return
  // The user discarded the drafts: delete them, so that the leave guard asks for no second confirmation.
  workbench.getState().reset()
  await forgetAllDrafts()
  clearOwnSettings('cells')
  location.assign('/sso/logout')
}

/** Stored drafts, and drafts of this page that could not be stored. */
async function unsaved(): Promise<StoredTitle[]> {
  const stored = await storedTitles()
  const nameOf = (organisation: string, document: string | undefined) => JSON.stringify([organisation, document])
  const names = new Set(stored.map(({ organisation, document }) => nameOf(organisation, document.split('@')[0])))
  const state = workbench.getState()
  const dirty = dirtyTabs(state, allTabs(state)).map(({ tabId, kind, id, name }) => ({
    organisation: scopeIn(scopeOfTab(tabId)).organisation,
    document: `${kind}:${id}`,
    title: name,
  }))
  return [...stored, ...dirty.filter(({ organisation, document }) => !names.has(nameOf(organisation, document)))]
}

const maxListed = 10

/** Each document once; documents of other organisations name theirs. */
function namesOf(drafts: readonly StoredTitle[]): string[] {
  const byDocument = Map.groupBy(drafts, ({ organisation, document }) => JSON.stringify([organisation, document]))
  const all = Array.from(byDocument.values(), ([first, ...more]) => {
    const { organisation = '', title = '' } = first ?? {}
    const named = more.length === 0 ? title : firstTexts.severalDrafts(title, more.length + 1)
    return organisation === currentScope().organisation ? named : firstTexts.inOrganisation(named, organisation)
  })
  const names = [...new Set(all)]
  if (names.length <= maxListed) return names
  return [...names.slice(0, maxListed), firstTexts.referring.more(names.length - maxListed)]
}
