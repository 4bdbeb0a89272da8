import { useStore } from 'zustand'
import type { AppContext } from '../../commands/context.ts'
import { builtStore } from '../../workbench/build-finished.ts'
import { PackageBrowser } from './PackageBrowser.tsx'

export type PackagesViewProps = { search: string; context: AppContext }

/** The sidebar's view of the packages; after a build it shows that one, until all are asked for or something is searched. */
export function PackagesView({ search, context }: PackagesViewProps) {
  const built = useStore(builtStore, state => state.built)
  return (
    <PackageBrowser
      context={context}
      search={search}
      justBuilt={search === '' ? built : null}
      onViewAll={() => builtStore.setState({ built: null })}
      dense
    />
  )
}
