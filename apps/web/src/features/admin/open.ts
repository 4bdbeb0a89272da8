import { ownManifestCountQuery } from '../../api/lists.ts'
import { queryClient } from '../../api/query-client.ts'
import { currentScope } from '../../api/scope.ts'
import { navigate } from '../../navigation.ts'
import { organisationNode } from '../../tree/tree-model.ts'
import { organisationDocument } from '../../workbench/address.ts'
import type { DocumentRef } from '../../workbench/documents.ts'
import { leaveDocument, openAlone, showAlone, workbench } from '../../workbench/page-workbench.ts'

/** Opens a document in an organisation; `node`: its tree row. Resolves to false if the user cancelled. */
export async function openIn(organisation: string, document: DocumentRef, node: string): Promise<boolean> {
  if (currentScope().organisation === organisation) return openAlone(document, node)
  if (!(await leaveDocument())) return false
  const { kind, id } = document
  navigate({ to: '/admin', search: { org: organisation, ...(kind === 'organisation' ? {} : { [kind]: id }) } })
  workbench.getState().set({ selectedNode: node })
  showAlone(document)
  return true
}

export async function openOrganisation(code: string): Promise<boolean> {
  return openIn(code, { ...organisationDocument, name: code }, organisationNode(code))
}

/** Runs work in an organisation, opening it first if needed. */
export async function inOrganisation(code: string, work: () => void): Promise<void> {
  if (currentScope().organisation !== code) {
    if (!(await openOrganisation(code))) return
    // Commands depend on the count; a failure is reported by the work itself.
    await queryClient.ensureQueryData(ownManifestCountQuery()).catch(() => undefined)
  }
  work()
}
