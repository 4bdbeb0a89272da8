import { House, Star } from 'lucide-react'
import { isAdministration } from '../../api/scope.ts'
import { documentOf, type AppContext } from '../../commands/context.ts'
import { registerCommand } from '../../commands/registry.ts'
import { favouriteLabel, pressFavourite } from '../../commands/favourite.ts'
import { workbench } from '../../workbench/page-workbench.ts'

export function registerHomeCommands(): void {
  registerCommand(
    {
      id: 'page.home',
      label: 'Home',
      icon: House,
      visible: ({ active }) => active !== null && !isAdministration() && location.pathname === '/',
      run: showHome,
    },
    ['palette'],
    865,
  )
  registerCommand(
    {
      id: 'node.favourite',
      label: ({ target }) => favouriteLabel(documentOf(target)),
      icon: Star,
      group: 'favourite',
      visible: ({ target }) => documentOf(target) !== null,
      run: ({ target }) => pressFavourite(documentOf(target)),
    },
    ['tree', 'library'],
    70,
  )
  registerCommand(
    {
      id: 'document.favourite',
      label: ({ active }) => favouriteLabel(active),
      icon: Star,
      visible: context => !isAdministration() && isFavourable(context),
      run: ({ active }) => pressFavourite(active),
    },
    ['palette'],
    801,
  )
}

function isFavourable({ active }: AppContext): boolean {
  return active?.kind === 'entity' || active?.kind === 'manifest'
}

/** Shows no document; the tabs stay open. */
function showHome(): void {
  workbench.setState({ active: null })
  document.querySelector<HTMLElement>('[data-region="document"]')?.focus()
}
