package dev.quiver.store.access;

import dev.quiver.store.access.Permission.Right;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.Lineage;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The permissions of a principal. They depend on names alone, never on whether a dataset exists.
///
/// @param granted each gives its right by itself
/// @param readsJobs whether the jobs of all principals may be read, which `admin` implies
public record Permissions(Set<Permission> granted, boolean readsJobs) {

  public static final Permissions NONE = new Permissions(Set.of(), false);

  public static final Permissions ADMIN = of(List.of(Permission.parse("admin")));

  /// Every read, and no write.
  public static final Permissions READ_EVERYTHING =
      new Permissions(Set.of(Permission.parse("read:*")), true);

  public Permissions {
    granted = Set.copyOf(granted);
  }

  public static Permissions of(Collection<Permission> granted) {
    Set<Permission> distinct = Set.copyOf(granted);
    return new Permissions(
        distinct, distinct.stream().anyMatch(permission -> permission.right() == Right.ADMIN));
  }

  /// Returns these permissions and others.
  public Permissions and(Permissions others) {
    Set<Permission> all = new HashSet<>(granted);
    all.addAll(others.granted);
    return new Permissions(all, readsJobs || others.readsJobs);
  }

  public boolean mayRead(DatasetName name) {
    return mayRead(name.value());
  }

  /// Returns whether a dataset of this name may be read.
  public boolean mayRead(String name) {
    return granted.stream().anyMatch(permission -> permission.gives(Right.READ, name));
  }

  public boolean mayWrite(DatasetName name) {
    return granted.stream().anyMatch(permission -> permission.gives(Right.WRITE, name.value()));
  }

  /// Returns the statement that computed rows, or null if one of its sources may not be read.
  public @Nullable Lineage visible(@Nullable Lineage lineage) {
    return lineage != null && lineage.reads().stream().allMatch(read -> mayRead(read.name()))
        ? lineage
        : null;
  }

  /// Returns whether datasets of some names may be read.
  public boolean readsSome() {
    return !granted.isEmpty();
  }

  /// Returns whether datasets of some names may be written.
  public boolean writesSome() {
    return granted.stream().anyMatch(permission -> permission.right() != Right.READ);
  }

  /// Returns whether datasets of every name may be read.
  public boolean readsAll() {
    return granted.stream().anyMatch(permission -> permission.names().matchesAll());
  }

  /// Returns whether datasets of every name may be written.
  public boolean writesAll() {
    return granted.stream()
        .anyMatch(
            permission -> permission.right() != Right.READ && permission.names().matchesAll());
  }

  public boolean isAdmin() {
    return granted.stream().anyMatch(permission -> permission.right() == Right.ADMIN);
  }
}
