import { useMemo } from 'react'
import { useOwnManifestCount } from '../api/lists.ts'
import { usePublications } from './published.ts'
import { useSession } from '../api/session.ts'
import { useWorkbench } from '../workbench/page-workbench.ts'
import type { AppContext, Target } from './context.ts'

/** Context of global commands; the default subject is the shown document. */
export function useAppContext(): AppContext {
  const tabs = useWorkbench(state => state.tabs)
  const activeId = useWorkbench(state => state.active)
  const isAdmin = useSession(session => session.user?.isAdmin ?? false)
  const count = useOwnManifestCount()
  const published = usePublications()
  return useMemo(() => {
    const active = tabs.find(tab => tab.tabId === activeId) ?? null
    const target: Target = { kind: 'none' }
    return {
      target,
      isAdmin,
      hasManifests: count === undefined ? undefined : count > 0,
      active,
      published,
    }
  }, [tabs, activeId, isAdmin, count, published])
}
