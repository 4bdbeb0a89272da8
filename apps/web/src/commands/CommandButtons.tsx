import { Button } from '../ui/Button.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { ToolbarButton } from '../ui/Toolbar.tsx'
import { isVisible, labelOf, pressCommand, whyDisabled, type Command } from './command.ts'

export type CommandButtonsProps<C> = {
  commands: readonly Command<C>[]
  context: C
  /** 'icon': icons with tooltips; 'words': icons with labels. */
  look?: 'icon' | 'words'
}

export function CommandButtons<C>({ commands, context, look = 'icon' }: CommandButtonsProps<C>) {
  return commands
    .filter(command => isVisible(command, context))
    .map(command => {
      const label = labelOf(command, context)
      const disabled = whyDisabled(command, context)
      const run = () => pressCommand(command, context)
      const button =
        look === 'icon' && command.icon ? (
          <IconButton
            label={label}
            icon={command.icon}
            data-tour={command.id}
            disabled={disabled}
            busy={command.busy?.(context) ?? false}
            danger={command.danger ?? false}
            onClick={run}
            {...(command.shortcut ? { shortcut: command.shortcut } : {})}
          />
        ) : (
          <Button
            disabled={disabled}
            variant={command.danger ? 'danger' : 'secondary'}
            onClick={run}
            {...(command.icon ? { icon: command.icon } : {})}
          >
            {label}
          </Button>
        )
      return <ToolbarButton key={command.id} render={button} />
    })
}
