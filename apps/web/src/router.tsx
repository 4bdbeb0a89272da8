import { limits } from '@cadmus/model/limits'
import { messages } from '@cadmus/model/messages'
import { useEffect, useState, type ReactNode } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { forgetAhead } from './api/ahead.ts'
import { ensureSession, followOtherPages, mustSync } from './api/session.ts'
import { messageOf } from './api/error.ts'
import { sessionStore } from './api/session-store.ts'
import { storage } from './api/storage.ts'
import { adminPlaceIn } from './features/admin/admin-address.ts'
import { isOfAdministration, packagesPlaceIn, type PackagesPlace } from './features/exported/packages-address.ts'
import { prefetchTree } from './features/navigator/prefetch.ts'
import { DialogHost } from './features/shell/DialogHost.tsx'
import { logout } from './features/shell/logout.ts'
import { ErrorPage } from './features/sign-in/ErrorPage.tsx'
import { LoginPage } from './features/sign-in/LoginPage.tsx'
import { LogoutPage } from './features/sign-in/LogoutPage.tsx'
import { OrganisationPage } from './features/sign-in/OrganisationPage.tsx'
import { Waiting } from './features/sign-in/Waiting.tsx'
import { followHistory, navigate, placeStore, type Destination, type Place } from './navigation.ts'
import { Boundary } from './ui/Boundary.tsx'
import { ErrorState } from './ui/ErrorState.tsx'
import { onDemand } from './ui/on-demand.ts'
import { Skeleton } from './ui/Skeleton.tsx'
import { placeIn } from './workbench/address.ts'
import { WorkspaceScreen } from './workspace.tsx'

/** `enter`: where somebody must go instead, if they may not see it. */
type Opened = { enter: () => Promise<Destination | null>; content: ReactNode }
type Route = (search: Place['search']) => Opened

const nowhere = async () => null
const { Component: AdminScreen } = onDemand(() => import('./admin.tsx').then(module => module.AdminScreen), <Coming />)

const { Component: PackagesScreen } = onDemand(
  () => import('./packages.tsx').then(module => module.PackagesScreen),
  <Coming />,
)

/**
 * The pages that somebody works on. The one that was visited last is remembered until a logout: a sign-in leads there. Packages are
 * shown as the section shows them from which they were reached.
 */
const sections = ['/', '/admin', '/packages']

const routes: ReadonlyMap<string, Route> = new Map<string, Route>([
  [
    '/',
    search => {
      const place = placeIn(search)
      return { enter: enterWorkspace, content: <WorkspaceScreen place={place} /> }
    },
  ],
  [
    '/org',
    () => ({
      enter: signedIn,
      content: (
        <>
          <OrganisationPage
            onChosen={() => navigate(wanted())}
            onLogout={() => void logout({ onlyForUnsaved: true })}
          />
          <DialogHost />
        </>
      ),
    }),
  ],
  ['/admin', search => ({ enter: signedIn, content: <AdminScreen place={adminPlaceIn(search)} /> })],
  [
    '/packages',
    search => {
      const place = packagesPlaceIn(search)
      return { enter: () => enterPackages(place), content: <PackagesScreen place={place} /> }
    },
  ],
  [
    '/sso/login',
    ({ code, state, error, error_description: description }) => ({
      enter: signedOut,
      content: (
        <LoginPage
          code={code}
          state={state}
          problem={description ?? error}
          onSignedIn={() => navigate(wanted(), { replace: true })}
          onError={problem => navigate({ to: '/error', search: problem }, { replace: true })}
        />
      ),
    }),
  ],
  ['/sso/logout', ({ from }) => ({ enter: nowhere, content: <LogoutPage afterError={from === 'error'} /> })],
  [
    '/error',
    ({ code = '', error = '', message = '' }) => ({
      enter: signedOut,
      content: <ErrorPage code={code} error={error} message={message} />,
    }),
  ],
])

/** What the address shows. `of`: which page it is, null while none is or where it failed. */
const shown = createStore<{ of: string | null; content: ReactNode }>()(() => ({ of: null, content: null }))
let latest: Place | null = null

/** Follows the address from now on; resolves once the first page may be shown, or it is clear that none can. */
export function startRouter(): Promise<void> {
  followHistory()
  followOtherPages()
  placeStore.subscribe(place => void enter(place))
  return enter(placeStore.getState())
}

async function enter(place: Place): Promise<void> {
  latest = place
  const { pathname, search } = place
  const opened = routes.get(pathname)?.(search) ?? { enter: nowhere, content: <NotFound /> }
  // The page is there already, and only what it shows is another: it needs not wait.
  if (shown.getState().of === pathname) shown.setState({ content: opened.content })
  try {
    const instead = await opened.enter()
    if (latest !== place) return
    if (instead) {
      if (['/sso/login', '/org'].includes(instead.to)) keepWanted(place)
      navigate(instead, { replace: true })
    } else {
      noteVisit(pathname)
      shown.setState({ of: pathname, content: opened.content })
    }
  } catch (error) {
    if (latest === place)
      shown.setState({ of: null, content: <Failed error={error} onRetry={() => void enter(place)} /> })
  }
}

/** The page of the address; what takes longer is told to be on its way. */
export function Router() {
  const { content } = useStore(shown)
  return content === null ? <Coming /> : <Boundary>{content}</Boundary>
}

function Coming() {
  const [late, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), limits.skeletonDelay)
    return () => clearTimeout(timer)
  }, [])
  return late && <Skeleton />
}

async function enterWorkspace(): Promise<Destination | null> {
  const begun = await beginTree().finally(forgetAhead)
  if ('to' in begun) return begun
  const { tree } = begun
  // Shown with the tree in it rather than twice, unless that takes long.
  if (shown.getState().of !== '/') await Promise.race([tree, waited(limits.skeletonDelay)])
  return null
}

/** One's own packages are those of the organisation that one works in. */
async function enterPackages(place: PackagesPlace): Promise<Destination | null> {
  const instead = await signedIn()
  if (instead) return instead
  return sessionStore.getState().organisation === null && !isOfAdministration(place) ? { to: '/org' } : null
}

/** Asks for the tree; or where to go first, which takes longer than an answer stays true that was asked ahead. */
async function beginTree(): Promise<Destination | { tree: Promise<unknown> }> {
  const instead = await signedIn()
  if (instead) return instead
  return sessionStore.getState().organisation === null ? { to: '/org' } : { tree: prefetchTree() }
}

/** A link followed by somebody who must sign in first leads there afterwards; an address that names nothing wants nothing, unless somebody came to it from another page. */
function keepWanted({ pathname, search }: Place): void {
  if (!sections.includes(pathname)) return
  const named = new URLSearchParams(search).toString()
  const isGiven = named !== '' || shown.getState().of !== null
  if (pathname === '/' && !isGiven) storage.remove('wanted')
  else storage.write('wanted', `${pathname}?${named}`)
}

/** Each step within a section comes through here; what was wanted was reached with the first. */
function noteVisit(pathname: string): void {
  if (!sections.includes(pathname) || !routes.has(pathname) || shown.getState().of === pathname) return
  storage.remove('wanted')
  storage.write('lastVisit', pathname)
  if (pathname !== '/packages') storage.write('workSection', pathname)
}

/** Where a sign-in leads: to what was wanted before it, else to the section that was visited last. */
function wanted(): Destination {
  const kept = storage.read('wanted') ?? storage.read('lastVisit') ?? '/'
  const { origin, pathname, searchParams } = new URL(URL.canParse(kept, location.origin) ? kept : '/', location.origin)
  if (origin !== location.origin || !sections.includes(pathname) || !routes.has(pathname)) return { to: '/' }
  return { to: pathname, search: Object.fromEntries(searchParams) }
}

async function signedIn(): Promise<Destination | null> {
  return !mustSync() && (await ensureSession()) ? null : { to: '/sso/login' }
}

/** Pages for those who are not signed in; with cookies that must pass the provider once more nobody is yet. */
async function signedOut(): Promise<Destination | null> {
  return !mustSync() && (await ensureSession().catch(() => false)) ? { to: '/' } : null
}

function waited(milliseconds: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, milliseconds))
}

function NotFound() {
  return (
    <Waiting text="There is no such page.">
      <a href="/">Go To Homepage</a>
    </Waiting>
  )
}

function Failed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <Waiting>
      <ErrorState message={messageOf(error, messages.failed.unexpected)} onRetry={onRetry} />
    </Waiting>
  )
}
