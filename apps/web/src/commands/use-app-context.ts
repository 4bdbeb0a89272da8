import { useMemo } from 'react'
import { isAdministration, useScope } from '../api/scope.ts'
import { useOwnManifestCount } from '../api/lists.ts'
import { useSession } from '../api/session.ts'
import { useWorkbench } from '../workbench/page-workbench.ts'
import type { AppContext, Target } from './context.ts'

/** Context of global commands; the default subject is the shown document. */
export function useAppContext(): AppContext {
  const shown = useWorkbench(state => state.view)
  const scope = useScope()
  const view = isAdministration(scope) && scope.organisation !== '' ? 'admin' : shown
  const tabs = useWorkbench(state => state.tabs)
  const activeId = useWorkbench(state => state.active)
  const isAdmin = useSession(session => session.user?.isAdmin ?? false)
  const count = useOwnManifestCount()
  return useMemo(() => {
    const active = tabs.find(tab => tab.tabId === activeId) ?? null
    const target: Target = { kind: 'none' }
    return {
      target,
      view,
      isAdmin,
      hasManifests: count === undefined ? undefined : count > 0,
      active,
    }
  }, [view, tabs, activeId, isAdmin, count])
}
