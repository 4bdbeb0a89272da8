import { defaults } from '@cadmus/model/limits'
import { messages } from '@cadmus/model/messages'
import { visibleText } from '@cadmus/model/display'
import { Building2, House, PackageCheck } from 'lucide-react'
import { useEffect, useEffectEvent } from 'react'
import { showPlace, startAdminWorkbench, goTo, inOrganisation } from './admin-workbench.ts'
import { goHome, goToPackages } from './admin-leave.ts'
import { isGone, messageOf } from './api/error.ts'
import { useScope } from './api/scope.ts'
import { useOrganisation } from './api/organisations.ts'
import { followSession, useSession } from './api/session.ts'
import { sessionStore } from './api/session-store.ts'
import { queryClient } from './api/query-client.ts'
import { storage } from './api/storage.ts'
import type { Command } from './commands/command.ts'
import type { AppContext } from './commands/context.ts'
import { useCommands } from './commands/scope.ts'
import { useAppContext } from './commands/use-app-context.ts'
import { AdminPage } from './features/admin/AdminPage.tsx'
import { placeText, type AdminPlace } from './features/admin/admin-address.ts'
import { PackageBrowser } from './features/exported/PackageBrowser.tsx'
import { OrganisationProperties } from './features/admin/OrganisationProperties.tsx'
import { Connection } from './features/shell/Connection.tsx'
import { DialogHost } from './features/shell/DialogHost.tsx'
import { PropertiesPanel } from './features/shell/PropertiesPanel.tsx'
import { TopBar } from './features/shell/TopBar.tsx'
import { SectionButton } from './features/shell/SectionButton.tsx'
import { usePage } from './features/shell/use-page.ts'
import { storedWidths } from './features/shell/widths.ts'
import { Waiting } from './features/sign-in/Waiting.tsx'
import { navigate } from './navigation.ts'
import { Boundary } from './ui/Boundary.tsx'
import { EmptyState } from './ui/EmptyState.tsx'
import { ErrorState } from './ui/ErrorState.tsx'
import { documentIn } from './workbench/address.ts'
import { useWorkbench, workbench } from './workbench/page-workbench.ts'
import { documentKind } from './workbench/document-kinds.ts'

/** For administrators; works without an own organisation. */
export function AdminScreen({ place }: { place: AdminPlace }) {
  const isAdmin = useSession(session => session.user?.isAdmin ?? false)
  useEffect(followSession, [])
  if (!isAdmin)
    return (
      <Waiting text={messages.administration.notAllowed}>
        <a href="/">Go To Homepage</a>
      </Waiting>
    )
  return <Administration place={place} />
}

function Administration({ place }: { place: AdminPlace }) {
  const { org } = place
  const context = useAppContext()
  const document = documentIn(place)
  useEffect(begin, [])
  const addressed = placeText(place)
  const { data, error } = useOrganisation(org ?? '', { enabled: org !== undefined })
  const code = data?.organisation.code
  const isRefused = error !== null
  const follow = useEffectEvent(() => {
    // The server matches codes case-insensitively: use the canonical one in the address.
    if (code !== undefined && code !== org)
      navigate({ to: '/admin', search: { ...place, org: code } }, { replace: true })
    else if (!document || code !== undefined || isRefused) showPlace(place)
  })
  useEffect(() => follow(), [addressed, code, isRefused])
  useCommands(sectionCommands, context)
  usePage(context, org === undefined ? needsNoOrganisation : isAvailableHere)
  return (
    <>
      <Connection />
      <AdminPage
        place={place}
        context={context}
        onPlace={(next, node) => void goTo(next, { node })}
        inOrganisation={(code, work) => void inOrganisation(code, work)}
        bar={
          <TopBar
            context={context}
            section={{
              name: 'Administration',
              isAtWork: org !== undefined,
              hasTools: org !== undefined,
              hasProperties: org !== undefined,
              buttons: <SectionButtons />,
            }}
          />
        }
        empty={<FirstOrganisation />}
        packages={<GeneratedPackages />}
        document={document && <ShownDocument place={place} />}
        properties={
          org !== undefined && (
            <PropertiesPanel>
              <OrganisationProperties key={org} code={org} />
            </PropertiesPanel>
          )
        }
      />
      <DialogHost />
    </>
  )
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

function GeneratedPackages() {
  const context = useAppContext()
  const isThere = useScope().organisation !== ''
  return isThere && <PackageBrowser context={context} />
}

/** The document of the address, once the workbench has opened it. */
function ShownDocument({ place }: { place: AdminPlace }) {
  const { organisation } = useScope()
  const tabId = documentIn(place)?.tabId
  const tab = useWorkbench(state => state.tabs.find(open => open.tabId === tabId && open.tabId === state.active))
  const title = tab && `${visibleText(tab.name)} - [${visibleText(place.org ?? '')}] - Cadmus`
  useEffect(() => {
    window.document.title = title ?? 'Cadmus'
    return () => {
      window.document.title = 'Cadmus'
    }
  }, [title])
  const Content = tab ? documentKind(tab.kind)?.Content : undefined
  if (!tab || !Content || organisation !== place.org) return null
  return (
    <Boundary key={`${organisation} ${tab.tabId}`}>
      <Content id={tab.id} />
    </Boundary>
  )
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

/** Commands available without an organisation. */
function needsNoOrganisation({ id }: Command<AppContext>): boolean {
  return id.startsWith('page.') && id !== 'page.palette' && id !== 'page.organisation'
}

/** The own organisation is switched in the workspace, and this page is the administration already. */
function isAvailableHere({ id }: Command<AppContext>): boolean {
  return id !== 'page.organisation' && id !== 'page.administration'
}

function begin(): () => void {
  const end = startAdminWorkbench()
  workbench.getState().set({ widths: storedWidths(), propertiesOpen: !matchMedia('(width < 900px)').matches })
  // Administrators who lose access to their own organisation continue without one.
  const leave = sessionStore.subscribe(({ access, leaveOrganisation }) => {
    if (access !== 'lost') return
    leaveOrganisation()
    void queryClient.invalidateQueries()
  })
  return () => {
    end()
    leave()
  }
}
