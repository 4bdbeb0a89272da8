import { Building2, House, PackageCheck } from 'lucide-react'
import { useEffect } from 'react'
import { defaults } from '@cadmus/model/limits'
import { messages } from '@cadmus/model/messages'
import { isGone, messageOf } from './api/error.ts'
import { useOrganisation } from './api/organisations.ts'
import { queryClient } from './api/query-client.ts'
import { type Scope, useScope } from './api/scope.ts'
import { sessionStore } from './api/session-store.ts'
import { storage } from './api/storage.ts'
import type { Command } from './commands/command.ts'
import type { AppContext } from './commands/context.ts'
import { useAppContext } from './commands/use-app-context.ts'
import { useCommands } from './commands/use-commands.ts'
import { AdminTree } from './features/admin/AdminTree.tsx'
import { OrganisationPanel } from './features/admin/OrganisationPanel.tsx'
import { registerAdminCommands } from './features/admin/commands.ts'
import { PackageBrowser } from './features/exported/PackageBrowser.tsx'
import { DialogHost } from './features/shell/DialogHost.tsx'
import { SectionButton } from './features/shell/SectionButton.tsx'
import { Sidebar } from './features/shell/Sidebar.tsx'
import { Workspace } from './features/shell/Workspace.tsx'
import { usePage } from './features/shell/use-page.ts'
import { storedWidths } from './features/shell/widths.ts'
import { navigate } from './navigation.ts'
import { EmptyState } from './ui/EmptyState.tsx'
import { ErrorState } from './ui/ErrorState.tsx'
import type { WorkspacePlace } from './workbench/address.ts'
import { registerDocumentKind } from './workbench/document-kinds.ts'
import { workbench } from './workbench/page-workbench.ts'
import { goHome, goToPackages } from './workbench/sections.ts'
import { useAddress } from './workspace-address.ts'

// The parts of the workspace that only administrators see.

registerAdminCommands()
registerDocumentKind({
  kind: 'organisation',
  icon: Building2,
  content: async () => OrganisationDocument,
  properties: () => import('./features/admin/OrganisationProperties.tsx').then(module => module.OrganisationProperties),
  unnamed: () => 'Organisation',
})

export function Administration({ place, scope }: { place: WorkspacePlace; scope: Scope }) {
  const context = useAppContext()
  const { organisation } = scope
  const isAtWork = organisation !== ''
  // A document is shown once the canonical code is known.
  const { data, error } = useOrganisation(organisation, { enabled: isAtWork })
  const code = data?.organisation.code
  const isKnown = code === organisation || error !== null
  useEffect(() => {
    // The server matches codes case-insensitively: the address has the canonical one.
    if (code !== undefined && code !== organisation)
      navigate({ to: '/admin', search: { ...place, org: code } }, { replace: true })
  }, [code, organisation, place])
  useEffect(() => {
    if (code !== undefined) storage.write('adminOrganisation', code)
  }, [code])
  useEffect(() => workbench.getState().set({ widths: storedWidths(innerWidth) }), [])
  useEffect(continueWithoutAccess, [])
  useCommands(sectionCommands, context)
  useAddress(place, scope, isAtWork && isKnown)
  usePage(context, isAtWork ? isAvailableInOrganisation : needsNoOrganisation)
  return (
    <>
      <Workspace
        context={context}
        section={{
          name: 'Administration',
          isAtWork,
          hasTools: isAtWork,
          hasProperties: isAtWork,
          hasSidebar: true,
          buttons: <SectionButtons />,
        }}
        sidebar={
          <Sidebar label="Organisations">
            <AdminTree context={context} />
          </Sidebar>
        }
        empty={isAtWork ? false : <FirstOrganisation />}
      />
      <DialogHost />
    </>
  )
}

/** Commands available without an organisation. */
function needsNoOrganisation({ id }: Command<AppContext>): boolean {
  return id.startsWith('page.') && id !== 'page.palette' && id !== 'page.organisation'
}

/** The user's own organisation is switched in the designer's workspace. */
function isAvailableInOrganisation({ id }: Command<AppContext>): boolean {
  return id !== 'page.organisation'
}

/** Administrators who lose access to their own organisation continue without one. */
function continueWithoutAccess(): () => void {
  return sessionStore.subscribe(({ access, leaveOrganisation }) => {
    if (access !== 'lost') return
    leaveOrganisation()
    void queryClient.invalidateQueries()
  })
}

function SectionButtons() {
  return (
    <>
      <SectionButton icon={PackageCheck} label="Packages" onClick={() => void goToPackages()} />
      <SectionButton icon={House} label="Home" onClick={() => void goHome()} />
    </>
  )
}

const sectionCommands: readonly Command<AppContext>[] = [
  { id: 'admin.packages', label: 'Packages', icon: PackageCheck, run: () => goToPackages() },
  { id: 'admin.home', label: 'Home', icon: House, run: () => goHome() },
]

function OrganisationDocument() {
  const context = useAppContext()
  const { organisation } = useScope()
  return <OrganisationPanel code={organisation} context={context} packages={<PackageBrowser context={context} />} />
}

/** Without an organisation in the address, opens the last one, else the default. */
function FirstOrganisation() {
  const code = storage.read('adminOrganisation') ?? defaults.organisationCode
  const { data, error, isFetching, refetch } = useOrganisation(code)
  const org = data?.organisation.code
  useEffect(() => {
    if (org !== undefined) navigate({ to: '/admin', search: { org } }, { replace: true })
  }, [org])
  if (!error) return null
  if (!isGone(error)) {
    const message = messageOf(error, messages.failed.unexpected)
    return <ErrorState message={message} busy={isFetching} onRetry={() => void refetch()} />
  }
  return <EmptyState icon={Building2} text="Choose an organisation to see its content and members." />
}
