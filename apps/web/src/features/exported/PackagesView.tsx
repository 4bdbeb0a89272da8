import { useStore } from 'zustand'
import { scopeText, useScope } from '../../api/scope.ts'
import type { AppContext } from '../../commands/context.ts'
import { builtStore } from '../../workbench/build-finished.ts'
import { PackageBrowser } from './PackageBrowser.tsx'

export type PackagesViewProps = { search: string; context: AppContext }

/** The packages view of the sidebar. Shows only a package just built, until the user views all or searches. */
export function PackagesView({ search, context }: PackagesViewProps) {
  const built = useStore(builtStore, state => state.built)
  const scope = useScope()
  return (
    <PackageBrowser
      context={context}
      search={search}
      justBuilt={search === '' && built?.scope === scopeText(scope) ? built : null}
      onViewAll={() => builtStore.setState({ built: null })}
      dense
    />
  )
}
