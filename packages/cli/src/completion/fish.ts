import { type CommandWords, longNames } from './command-words.ts'

/** Returns the script of fish, whose functions print what those of the other shells set. */
export function fishScript(commands: readonly CommandWords[]): string {
  const known = commands.filter(({ path }) => path !== '').map(({ path }) => `'${path}'`)
  return `function __burgee_known
    switch "$argv[1]"
        case ${known.join(' ')}
            return 0
    end
    return 1
end
function __burgee_option
    switch "$argv[1] $argv[2]"
${commands.flatMap(optionCases).join('\n')}
    end
end
function __burgee_options
    switch "$argv[1]"
${commands.map(({ options, path }) => choice([path], `words ${longNames(options)}`)).join('\n')}
    end
end
function __burgee_argument
    switch "$argv[1]:$argv[2]"
${commands.flatMap(argumentCases).join('\n')}
        case '*'
            __burgee_options "$argv[1]"
    end
end
${COMPLETE}`
}

const COMPLETE = `function __burgee_complete
    set -l tokens (commandline -opc)
    set -e tokens[1]
    set -l cur (commandline -ct)
    set -l line ''
    set -l want ''
    set -l count 0
    for word in $tokens
        if string match -q '*...*' -- "$want"
            string match -q -- '-*' "$word"; or continue
        else if test -n "$want"
            set want ''
            continue
        end
        set want ''
        switch "$word"
            case '--*=*'
            case '-*'
                set want (__burgee_option "$line" "$word")
            case '*'
                set -l next (string trim -- "$line $word")
                if __burgee_known "$next"
                    set line "$next"
                else
                    set count (math $count + 1)
                end
        end
    end
    set -l prefix ''
    if test -z "$want"; or string match -q '*...*' -- "$want"
        switch "$cur"
            case '--*=*'
                set prefix (string replace -r '=.*' '=' -- "$cur")
                set want (__burgee_option "$line" (string replace -r '=.*' '' -- "$cur"))
            case '-*'
                set want (__burgee_options "$line")
            case '*'
                test -n "$want"; or set want (__burgee_argument "$line" $count)
        end
    end
    set -l value (string sub -s (math (string length -- "$prefix") + 1) -- "$cur")
    switch "$want"
        case 'words*'
            for word in (string split ' ' -- (string replace -r '^\\S+ ' '' -- "$want"))
                echo "$prefix$word"
            end
        case 'file*'
            for path in (__fish_complete_path "$value")
                echo "$prefix$path"
            end
        case 'folder*'
            for path in (__fish_complete_directories "$value")
                echo "$prefix$path"
            end
    end
end
complete -c burgee -e
complete -c burgee -f -a '(__burgee_complete)'
`

const choice = (patterns: readonly string[], values: string): string =>
  `        case ${patterns.map((pattern) => `'${pattern}'`).join(' ')}\n            echo '${values}'`

function optionCases({ options, path }: CommandWords): string[] {
  return options
    .filter(({ values }) => values !== '')
    .map(({ names, values }) =>
      choice(
        names.map((name) => `${path} ${name}`),
        values,
      ),
    )
}

function argumentCases({ arguments: values, path, subcommands }: CommandWords): string[] {
  if (subcommands.length > 0) return [choice([`${path}:0`], `words ${subcommands.join(' ')}`)]
  return values
    .map((value, at) => ({ value, pattern: `${path}:${value.includes('...') ? '*' : at}` }))
    .filter(({ value }) => !value.startsWith('text'))
    .map(({ pattern, value }) => choice([pattern], value))
}
