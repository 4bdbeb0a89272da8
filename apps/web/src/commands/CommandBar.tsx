import { Ellipsis } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../ui/Button.tsx'
import { Menu } from '../ui/Menu.tsx'
import { Toolbar, ToolbarButton } from '../ui/Toolbar.tsx'
import { tip } from '../ui/Tooltip.tsx'
import { isVisible, labelOf, pressCommand, whyDisabled, type Command } from './command.ts'
import { entriesOf } from './entries.ts'

type CommandBarProps<C> = {
  label: string
  commands: readonly Command<C>[]
  context: C
  /** Ids of commands with a labelled button before all others, filled while it is enabled; at most one is visible. */
  primary: readonly string[]
  /** Ids of further commands with a labelled button, in this order. */
  labelled: readonly string[]
  /** Buttons after the labelled ones. */
  children?: ReactNode
}

/** The toolbar of a document: a few labelled buttons, and all other commands in the menu *More*, in their order. */
export function CommandBar<C>({ label, commands, context, primary, labelled, children }: CommandBarProps<C>) {
  const shown = [...primary, ...labelled]
    .flatMap(id => commands.find(command => command.id === id) ?? [])
    .filter(command => isVisible(command, context))
  return (
    <Toolbar label={label}>
      {shown.map(command => (
        <ToolbarButton key={command.id} render={labelledButton(command, context, primary.includes(command.id))} />
      ))}
      {children}
      <Menu
        entries={entriesOf(
          commands.filter(command => !shown.includes(command)),
          context,
        )}
        trigger={
          <ToolbarButton
            render={
              <Button data-tour="more" icon={Ellipsis}>
                More
              </Button>
            }
          />
        }
      />
    </Toolbar>
  )
}

function labelledButton<C>(command: Command<C>, context: C, isPrimary: boolean) {
  const disabled = whyDisabled(command, context)
  return (
    <Button
      data-tour={command.id}
      variant={isPrimary && disabled === false ? 'primary' : 'secondary'}
      disabled={disabled}
      busy={command.busy?.(context) ?? false}
      onClick={() => pressCommand(command, context)}
      {...(command.icon ? { icon: command.icon } : {})}
      {...(command.shortcut && disabled === false ? tip(labelOf(command, context), command.shortcut) : {})}
    >
      {labelOf(command, context)}
    </Button>
  )
}
