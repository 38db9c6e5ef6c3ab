package io.shardbus.launcher.demo;

/** A flight of the log. */
record Flight(String when, int minutesLate, int miles, String from, String to) {}
