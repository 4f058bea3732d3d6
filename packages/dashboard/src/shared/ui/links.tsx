import {
  Anchor,
  type AnchorProps,
  Button,
  type ButtonProps,
  Menu,
  type MenuItemProps,
  NavLink,
  type NavLinkProps,
} from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'

/** A control's own fields, and those of the link that it is. */
type AsLink<P> = P & Omit<ComponentProps<'a'>, keyof P>

/**
 * Controls that lead to an address of ours: ordinary links for the keyboard, the middle button and screen
 * readers.
 */
export const AnchorLink = createLink((props: AsLink<AnchorProps>) => <Anchor {...props} />)
export const ButtonLink = createLink((props: AsLink<ButtonProps>) => <Button component="a" {...props} />)
export const NavLinkTo = createLink((props: AsLink<NavLinkProps>) => <NavLink {...props} />)
export const MenuItemLink = createLink((props: AsLink<MenuItemProps>) => (
  <Menu.Item component="a" {...props} />
))
