import { messages } from '@cadmus/model/messages'
import { House, ShieldUser } from 'lucide-react'
import { useEffect, type ReactNode } from 'react'
import { messageOf } from './api/error.ts'
import { useOrganisation } from './api/organisations.ts'
import { isAdministration, useScope } from './api/scope.ts'
import { followSession } from './api/session.ts'
import type { Command } from './commands/command.ts'
import type { AppContext } from './commands/context.ts'
import { useAppContext } from './commands/use-app-context.ts'
import type { PackagesPlace } from './features/exported/packages-address.ts'
import { PackagesPage } from './features/exported/PackagesPage.tsx'
import { Connection } from './features/shell/Connection.tsx'
import { DialogHost } from './features/shell/DialogHost.tsx'
import { SectionButton } from './features/shell/SectionButton.tsx'
import { TopBar } from './features/shell/TopBar.tsx'
import { usePage } from './features/shell/use-page.ts'
import { navigate } from './navigation.ts'
import { ErrorState } from './ui/ErrorState.tsx'
import { Skeleton } from './ui/Skeleton.tsx'
import { guardUnload } from './unload-guard.ts'
import { addressOf, addressOfDocument, hrefOf, sectionPath } from './workbench/address.ts'
import { workbench } from './workbench/page-workbench.ts'

export function PackagesScreen({ place }: { place: PackagesPlace }) {
  const scope = useScope()
  useEffect(followSession, [])
  useEffect(guardUnload, [])
  if (isAdministration(scope)) return <OrganisationPackages place={place} org={scope.organisation} />
  return <Packages place={place} title="Packages" buttons={<HomeButton />} />
}

/** The administration's view of the packages of an organisation. */
function OrganisationPackages({ place, org }: { place: PackagesPlace; org: string }) {
  const { data, error, refetch } = useOrganisation(org)
  const { code, name } = data?.organisation ?? {}
  useEffect(() => {
    if (code !== undefined && code !== org)
      navigate({ to: '/packages', search: { ...place, org: code } }, { replace: true })
  }, [code, org, place])
  if (error && !data)
    return <ErrorState message={messageOf(error, messages.failed.unexpected)} onRetry={() => void refetch()} />
  if (code !== org) return <Skeleton />
  return (
    <Packages
      place={place}
      title={`Packages of [${code}] ${name ?? ''}`}
      buttons={
        <>
          <SectionButton
            icon={ShieldUser}
            label="Administration"
            onClick={() => navigate({ to: '/admin', search: { org } })}
          />
          <HomeButton />
        </>
      }
    />
  )
}

function HomeButton() {
  return (
    <SectionButton
      icon={House}
      label="Home"
      onClick={() => navigate({ to: '/', search: isAdministration() ? {} : addressOf(workbench.getState()) })}
    />
  )
}

type PackagesProps = { place: PackagesPlace; title: string; buttons: ReactNode }

function Packages({ place, title, buttons }: PackagesProps) {
  const context = useAppContext()
  usePage(context, isAvailableHere)
  useEffect(openInSection, [])
  useEffect(() => {
    document.title = 'Packages - Cadmus'
    return () => {
      document.title = 'Cadmus'
    }
  }, [])
  const { org } = place
  return (
    <PackagesPage
      title={title}
      context={context}
      justBuilt={place.new === undefined ? null : { manifestName: place.new }}
      onViewAll={() => navigate({ to: '/packages', search: { org } })}
      bar={
        <>
          <TopBar context={context} section={{ ...section, buttons }} />
          <Connection />
        </>
      }
    >
      <DialogHost />
    </PackagesPage>
  )
}

const section = { name: 'Packages', isAtWork: true, hasTools: false, hasProperties: false, hasSidebar: false }

/** Page commands only: documents belong to other sections. */
function isAvailableHere({ id }: Command<AppContext>): boolean {
  return id.startsWith('page.')
}

/** Opens documents from the palette in their own section. */
function openInSection(): () => void {
  const { open, openInBackground } = workbench.getState()
  workbench.setState({
    open: document => navigate({ to: sectionPath(), search: addressOfDocument(document) }),
    openInBackground: document => void window.open(hrefOf(document), '_blank', 'noopener'),
  })
  return () => workbench.setState({ open, openInBackground })
}
