import { limits } from '@cadmus/model/limits'
import { firstTexts } from '@cadmus/model/messages/first-load'
import { useEffect, useState, type ReactNode } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { dropEarlyResponses } from './api/early-responses.ts'
import { chooseAgain, ensureSession, followOtherPages, mustSync } from './api/session.ts'
import { messageOf } from './api/error.ts'
import { sessionStore } from './api/session-store.ts'
import { storage } from './api/storage.ts'
import { administeredAt, packagesPlaceIn } from './features/exported/packages-address.ts'
import { prefetchTree } from './features/navigator/prefetch.ts'
import { DialogHost } from './features/shell/DialogHost.tsx'
import { logout } from './features/shell/logout.ts'
import { ownParameters } from './features/sign-in/login-flow.ts'
import { LoginPage } from './features/sign-in/LoginPage.tsx'
import { Waiting } from './features/sign-in/Waiting.tsx'
import { followHistory, navigate, placeStore, type Destination, type Place } from './navigation.ts'
import { Boundary } from './ui/Boundary.tsx'
import { ErrorState } from './ui/ErrorState.tsx'
import { onDemand } from './ui/on-demand.ts'
import { Skeleton } from './ui/Skeleton.tsx'
import { administrationPlaceIn, placeIn } from './workbench/address.ts'
import { enterScope } from './workbench/page-workbench.ts'
import { WorkspaceScreen } from './workspace.tsx'

/**
 * `enter`: resolves to a redirect, or null if the page may be shown. `administered`: the organisation of an
 * administrator, '' if the address names none; null elsewhere.
 */
type Entry = { enter: () => Promise<Destination | null>; content: ReactNode; administered?: () => string | null }
type Route = (search: Place['search']) => Entry

const stay = async () => null
const { Component: ErrorPage } = onDemand(
  () => import('./features/sign-in/ErrorPage.tsx').then(module => module.ErrorPage),
  <DelayedSkeleton />,
)
const { Component: LogoutPage } = onDemand(
  () => import('./features/sign-in/LogoutPage.tsx').then(module => module.LogoutPage),
  <DelayedSkeleton />,
)
const { Component: OrganisationPage } = onDemand(
  () => import('./features/sign-in/OrganisationPage.tsx').then(module => module.OrganisationPage),
  <DelayedSkeleton />,
)
const { Component: PackagesScreen } = onDemand(
  () => import('./packages.tsx').then(module => module.PackagesScreen),
  <DelayedSkeleton />,
)

/**
 * Pages to return to after sign-in: the last visited one is stored until logout. Packages appear as in the section that
 * they were reached from.
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
            onChosen={() => navigate(destinationAfterSignIn())}
            onLogout={() => void logout({ onlyForUnsaved: true })}
          />
          <DialogHost />
        </>
      ),
    }),
  ],
  [
    '/admin',
    search => {
      const place = administrationPlaceIn(search)
      return { enter: signedIn, content: <WorkspaceScreen place={place} />, administered: () => place.org ?? '' }
    },
  ],
  [
    '/packages',
    search => {
      const place = packagesPlaceIn(search)
      const administered = () => administeredAt(place)
      return { enter: () => enterPackages(administered), content: <PackagesScreen place={place} />, administered }
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
          onSignedIn={() => navigate(destinationAfterSignIn(), { replace: true })}
          onError={problem => navigate({ to: '/error', search: problem }, { replace: true })}
        />
      ),
    }),
  ],
  ['/sso/logout', ({ from }) => ({ enter: stay, content: <LogoutPage afterError={from === 'error'} /> })],
  [
    '/error',
    ({ code = '', error = '', message = '' }) => ({
      enter: signedOut,
      content: <ErrorPage code={code} error={error} message={message} />,
    }),
  ],
])

/** The rendered page. `path`: null before the first page and after a failure. */
const shown = createStore<{ path: string | null; content: ReactNode }>()(() => ({ path: null, content: null }))
let latest: Place | null = null

/** Starts routing; resolves once the first page is shown or has failed. */
export function startRouter(): Promise<void> {
  followHistory()
  dropProviderParameters()
  followOtherPages()
  placeStore.subscribe(place => void enter(place))
  return enter(placeStore.getState())
}

/** The provider redirects with its state here after a logout; it would stay in the address after the next sign-in. */
function dropProviderParameters(): void {
  const { pathname, search } = placeStore.getState()
  const own = ownParameters(search)
  const isOwn = Object.keys(own).length === Object.keys(search).length
  if (sections.includes(pathname) && !isOwn) navigate({ to: pathname, search: own }, { replace: true })
}

async function enter(place: Place): Promise<void> {
  latest = place
  const { pathname, search } = place
  // Another tab of the browser may have visited another section since.
  noteSection(shown.getState().path)
  const opened: Entry = routes.get(pathname)?.(search) ?? { enter: stay, content: <NotFound /> }
  const show = () => {
    enterScope(opened.administered?.() ?? null)
    shown.setState({ path: pathname, content: opened.content })
  }
  // The page stays the same, so there is no need to wait.
  if (shown.getState().path === pathname) show()
  try {
    const instead = await opened.enter()
    if (latest !== place) return
    if (instead) {
      if (['/sso/login', '/org'].includes(instead.to)) storeDestination(place)
      navigate(instead, { replace: true })
    } else {
      noteVisit(pathname)
      show()
    }
  } catch (error) {
    if (latest === place)
      shown.setState({ path: null, content: <Failed error={error} onRetry={() => void enter(place)} /> })
  }
}

/** Renders the page of the address, or a delayed skeleton. */
export function Router() {
  const { content } = useStore(shown)
  return content === null ? <DelayedSkeleton /> : <Boundary>{content}</Boundary>
}

function DelayedSkeleton() {
  const [isLate, setIsLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsLate(true), limits.skeletonDelay)
    return () => clearTimeout(timer)
  }, [])
  return isLate && <Skeleton />
}

async function enterWorkspace(): Promise<Destination | null> {
  const start = await startTree().finally(dropEarlyResponses)
  if ('to' in start) return start
  const { tree } = start
  // Wait briefly for the tree, to avoid rendering twice.
  if (shown.getState().path !== '/') await Promise.race([tree, delay(limits.skeletonDelay)])
  return null
}

/** A user's own packages need an organisation. */
async function enterPackages(administered: () => string | null): Promise<Destination | null> {
  const instead = await signedIn()
  if (instead || administered() !== null) return instead
  return (await hasOrganisation()) ? null : { to: '/org' }
}

/** Starts loading the tree; returns a redirect if the session requires one. */
async function startTree(): Promise<Destination | { tree: Promise<unknown> }> {
  const instead = await signedIn()
  if (instead) return instead
  return (await hasOrganisation()) ? { tree: prefetchTree() } : { to: '/org' }
}

/** An administrator who comes from the administration may have been given access. */
async function hasOrganisation(): Promise<boolean> {
  if (sessionStore.getState().organisation === null && shown.getState().path !== null) await chooseAgain()
  return sessionStore.getState().organisation !== null
}

/** Stores the address to return to after sign-in. A bare '/' counts only if it was reached from another page. */
function storeDestination({ pathname, search }: Place): void {
  if (!sections.includes(pathname)) return
  const named = new URLSearchParams(search).toString()
  const hasTarget = named !== '' || shown.getState().path !== null
  if (pathname === '/' && !hasTarget) storage.remove('wanted')
  else storage.write('wanted', `${pathname}?${named}`)
}

/** Runs on each step within a section; the stored address is reached with the first. */
function noteVisit(pathname: string): void {
  if (!sections.includes(pathname) || !routes.has(pathname) || shown.getState().path === pathname) return
  storage.remove('wanted')
  storage.write('lastVisit', pathname)
  noteSection(pathname)
}

/** The section whose packages an address without an organisation shows. */
function noteSection(pathname: string | null): void {
  if (pathname === '/' || pathname === '/admin') storage.write('workSection', pathname)
}

/** Destination after sign-in: the stored address, else the last section. */
function destinationAfterSignIn(): Destination {
  const stored = storage.read('wanted') ?? storage.read('lastVisit') ?? '/'
  const { origin, pathname, searchParams } = new URL(
    URL.canParse(stored, location.origin) ? stored : '/',
    location.origin,
  )
  if (origin !== location.origin || !sections.includes(pathname) || !routes.has(pathname)) return { to: '/' }
  return { to: pathname, search: Object.fromEntries(searchParams) }
}

async function signedIn(): Promise<Destination | null> {
  return !mustSync() && (await ensureSession()) ? null : { to: '/sso/login' }
}

/** Redirects signed-in users. Cookies that the provider must confirm again do not count as signed in. */
async function signedOut(): Promise<Destination | null> {
  return !mustSync() && (await ensureSession().catch(() => false)) ? { to: '/' } : null
}

function delay(milliseconds: number): Promise<void> {
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
      <ErrorState message={messageOf(error, firstTexts.failed.unexpected)} onRetry={onRetry} />
    </Waiting>
  )
}
