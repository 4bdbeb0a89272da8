import { defaults } from '@cadmus/model/limits'
import { messages } from '@cadmus/model/messages'
import { House, ShieldUser } from 'lucide-react'
import { useEffect, useState, type ReactNode } from 'react'
import { scopeStore, useScope } from './api/scope.ts'
import { messageOf } from './api/error.ts'
import { useOrganisation } from './api/organisations.ts'
import { followSession } from './api/session.ts'
import { storage } from './api/storage.ts'
import type { Command } from './commands/command.ts'
import type { AppContext } from './commands/context.ts'
import { useAppContext } from './commands/use-app-context.ts'
import { isOfAdministration, type PackagesPlace } from './features/exported/packages-address.ts'
import { PackagesPage } from './features/exported/PackagesPage.tsx'
import { Connection } from './features/shell/Connection.tsx'
import { DialogHost } from './features/shell/DialogHost.tsx'
import { TopBar } from './features/shell/TopBar.tsx'
import { SectionButton } from './features/shell/SectionButton.tsx'
import { usePage } from './features/shell/use-page.ts'
import { navigate } from './navigation.ts'
import { ErrorState } from './ui/ErrorState.tsx'
import { Skeleton } from './ui/Skeleton.tsx'
import { guardUnload } from './unload-guard.ts'
import { addressOf, hrefIn, hrefOf } from './workbench/address.ts'
import { workbench } from './workbench/page-workbench.ts'

export function PackagesScreen({ place }: { place: PackagesPlace }) {
  const [isAdministration] = useState(() => isOfAdministration(place))
  useEffect(followSession, [])
  useEffect(guardUnload, [])
  if (isAdministration) return <OrganisationPackages place={place} />
  return (
    <Packages
      place={place}
      title="Packages"
      buttons={
        <SectionButton
          icon={House}
          label="Home"
          onClick={() => navigate({ to: '/', search: addressOf(workbench.getState()) })}
        />
      }
    />
  )
}

/** The administration's view of the packages of an organisation. */
function OrganisationPackages({ place }: { place: PackagesPlace }) {
  const org = place.org ?? storage.read('adminOrganisation') ?? defaults.organisationCode
  const { data, error, refetch } = useOrganisation(org)
  const { organisation } = useScope()
  const { code, name } = data?.organisation ?? {}
  useEffect(() => {
    if (code === undefined) return
    scopeStore.setState({ administered: code })
    hrefIn('/admin', { org: code })
    return () => {
      scopeStore.setState({ administered: null })
      hrefIn('/', {})
    }
  }, [code])
  if (error && !data)
    return <ErrorState message={messageOf(error, messages.failed.unexpected)} onRetry={() => void refetch()} />
  if (code === undefined || organisation !== code) return <Skeleton />
  return (
    <Packages
      place={place}
      title={`Packages of [${code}] ${name ?? ''}`}
      buttons={
        <>
          <SectionButton
            icon={ShieldUser}
            label="Administration"
            onClick={() => location.assign(`/admin?${new URLSearchParams({ org: code })}`)}
          />
          <SectionButton icon={House} label="Home" onClick={() => location.assign('/')} />
        </>
      }
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
          <TopBar
            context={context}
            section={{ name: 'Packages', isAtWork: true, hasTools: false, hasProperties: false, buttons }}
          />
          <Connection />
        </>
      }
    >
      <DialogHost />
    </PackagesPage>
  )
}

/** Page commands only: documents belong to other sections. */
function isAvailableHere({ id }: Command<AppContext>): boolean {
  return id.startsWith('page.')
}

/** Opens documents from the palette in their own section. */
function openInSection(): () => void {
  const { open, openInBackground } = workbench.getState()
  workbench.setState({
    open: document => location.assign(hrefOf(document)),
    openInBackground: document => void window.open(hrefOf(document), '_blank', 'noopener'),
  })
  return () => workbench.setState({ open, openInBackground })
}
