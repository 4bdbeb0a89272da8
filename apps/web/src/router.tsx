import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
  useRouter,
  type ErrorComponentProps,
} from '@tanstack/react-router'
import { ensureSession, mustSync } from './api/session.ts'
import { messageOf } from './api/error.ts'
import { sessionStore } from './api/session-store.ts'
import { storage } from './api/storage.ts'
import { limits } from '@cadmus/model/limits'
import { messages } from '@cadmus/model/messages'
import { prefetchTree } from './features/navigator/prefetch.ts'
import { ErrorPage } from './features/sign-in/ErrorPage.tsx'
import { LoginPage } from './features/sign-in/LoginPage.tsx'
import { LogoutPage } from './features/sign-in/LogoutPage.tsx'
import { OrganisationPage } from './features/sign-in/OrganisationPage.tsx'
import { ErrorState } from './ui/ErrorState.tsx'
import { Skeleton } from './ui/Skeleton.tsx'
import { addressIn, type Address } from './workbench/address.ts'
import { Waiting } from './features/sign-in/Waiting.tsx'

type Text = Record<string, unknown>

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound, errorComponent: Failed })

const workspace = createRoute({
  getParentRoute: () => root,
  path: '/',
  validateSearch: placeOf,
  beforeLoad: async ({ search }) => {
    // A link followed by somebody who must sign in first leads there afterwards.
    storage.writeJson('wanted', search)
    await signedIn()
    if (sessionStore.getState().organisation === null) throw redirect({ to: '/org' })
    storage.remove('wanted')
    prefetchTree()
  },
  component: lazyRouteComponent(() => import('./workspace.tsx'), 'WorkspaceScreen'),
})

/** The open document stands in the address, so that a reload and a link come back to it. */
export type WorkspaceSearch = Address & { manifestWizard?: 'open' | undefined }

/** Reads a place in the workspace from an address or from storage: ids and known words only. */
function placeOf(search: Text): WorkspaceSearch {
  return {
    ...addressIn(search),
    ...(search['manifestWizard'] === 'open' ? { manifestWizard: 'open' as const } : {}),
  }
}

function wantedPlace(): WorkspaceSearch {
  const wanted = storage.readJson('wanted')
  return typeof wanted === 'object' && wanted !== null ? placeOf({ ...wanted }) : {}
}

const organisation = createRoute({
  getParentRoute: () => root,
  path: '/org',
  beforeLoad: signedIn,
  component: function Organisations() {
    const router = useRouter()
    return <OrganisationPage onChosen={() => void router.navigate({ to: '/', search: wantedPlace() })} />
  },
})

const login = createRoute({
  getParentRoute: () => root,
  path: '/sso/login',
  validateSearch: (search: Text) => ({
    ...textOf('code', search),
    ...textOf('state', search),
    ...textOf('error', search),
    ...textOf('error_description', search),
    ...textOf('sync', search),
  }),
  beforeLoad: ({ search }) => signedOut(search['sync'] !== undefined || search['code'] !== undefined),
  component: function Login() {
    const router = useRouter()
    const search = login.useSearch()
    return (
      <LoginPage
        code={search['code']}
        state={search['state']}
        problem={search['error_description'] ?? search['error']}
        onSignedIn={() => void router.navigate({ to: '/', search: wantedPlace(), replace: true })}
        onError={({ code, error, message }) =>
          void router.navigate({ to: '/error', search: { code: String(code), error, message }, replace: true })
        }
      />
    )
  },
})

const logout = createRoute({
  getParentRoute: () => root,
  path: '/sso/logout',
  validateSearch: (search: Text) => textOf('from', search),
  component: function Logout() {
    return <LogoutPage afterError={logout.useSearch().from === 'error'} />
  },
})

const failure = createRoute({
  getParentRoute: () => root,
  path: '/error',
  validateSearch: (search: Text) => ({
    ...textOf('code', search),
    ...textOf('error', search),
    ...textOf('message', search),
  }),
  beforeLoad: () => signedOut(false),
  component: function SignInFailed() {
    const { code = '', error = '', message = '' } = failure.useSearch()
    return <ErrorPage code={code} error={error} message={message} />
  },
})

export function createPageRouter() {
  return createRouter({
    routeTree: root.addChildren([workspace, organisation, login, logout, failure]),
    defaultErrorComponent: Failed,
    defaultPendingComponent: Skeleton,
    defaultPendingMs: limits.skeletonDelay,
    // Plain text both ways: a code or state of the provider must arrive as it was sent, even when it looks like a number.
    parseSearch: text => Object.fromEntries(new URLSearchParams(text)),
    stringifySearch: search => {
      const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== null)
      const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
      return text === '' ? '' : `?${text}`
    },
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createPageRouter>
  }
}

async function signedIn(): Promise<void> {
  if (mustSync()) throw redirect({ to: '/sso/login', search: { sync: '1' } })
  if (!(await ensureSession())) throw redirect({ to: '/sso/login', search: {} })
}

/** Pages for those who are not signed in; `passing`: on the way through the provider. */
async function signedOut(passing: boolean): Promise<void> {
  if (!passing && (await ensureSession().catch(() => false))) throw redirect({ to: '/' })
}

function NotFound() {
  return (
    <Waiting text="There is no such page.">
      <a href="/">Go To Homepage</a>
    </Waiting>
  )
}

function Failed({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  return (
    <Waiting>
      <ErrorState
        message={messageOf(error, messages.failed.unexpected)}
        onRetry={() => {
          reset()
          void router.invalidate()
        }}
      />
    </Waiting>
  )
}

function textOf<K extends string>(name: K, search: Text): { [key in K]?: string } {
  const value = search[name]
  const found: { [key in K]?: string } = {}
  if (value !== undefined && value !== null) found[name] = String(value)
  return found
}
