package io.shardbus.history;

import java.util.List;
import java.util.Map;

/**
 * All accounts when no command is under way.
 *
 * @param states what the accounts answer, through each of the nodes
 * @param statements of all accounts, as each of the nodes shows them
 */
public record AccountsAtRest(
        List<Map<String, AccountState>> states, List<Map<String, List<AccountMovement>>> statements) {
    public AccountsAtRest {
        states = List.copyOf(states);
        statements = List.copyOf(statements);
        if (states.isEmpty() || statements.isEmpty()) {
            throw new IllegalArgumentException("no node has answered");
        }
    }
}
